import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { onTestFinished } from 'vitest'
import { LINNET } from './run-linnet.ts'

interface Named {
  readonly id: string
}

/** The fields of tool responses that tests use. Each response has some of them. */
export interface AnswerData {
  readonly note: string
  readonly accounts: readonly Named[]
  readonly threads: readonly (Named & { readonly link: string })[]
  readonly hasMore: boolean
  readonly messages: readonly (Named & { readonly attachments: readonly Named[] })[]
  readonly proposal: string
  readonly proposals: readonly { readonly state: string }[]
}

export interface ToolAnswer {
  readonly isError: boolean
  readonly text: string
  /** The parsed text, or empty if the call was rejected. */
  readonly data: AnswerData
}

export interface Assistant {
  readonly client: Client
  readonly call: (name: string, input?: Readonly<Record<string, unknown>>) => Promise<ToolAnswer>
  readonly pid: number | null
  readonly close: () => Promise<void>
}

export const startAssistant = async (dataDirectory: string, name = 'tester'): Promise<Assistant> => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [LINNET, 'mcp', '--data', dataDirectory],
    stderr: 'inherit',
  })
  const client = new Client({ name, version: '1.0' })
  await client.connect(transport)
  const close = (): Promise<void> => client.close()
  onTestFinished(close)
  return {
    client,
    pid: transport.pid,
    close,
    call: async (tool, input = {}) => {
      const { content, structuredContent, isError } = await client.callTool({ name: tool, arguments: { ...input } })
      const [first] = content as readonly { readonly text: string }[]
      return { isError: isError === true, text: first?.text ?? '', data: (structuredContent ?? {}) as AnswerData }
    },
  }
}
