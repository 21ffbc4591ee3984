import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { onTestFinished } from 'vitest'
import { LINNET } from './run-linnet.ts'

interface Named {
  readonly id: string
}

/** Of the tools' answers what tests go on with: each has some of it. */
export interface AnswerData {
  readonly note: string
  readonly accounts: readonly Named[]
  readonly threads: readonly (Named & { readonly link: string })[]
  readonly hasMore: boolean
  readonly messages: readonly (Named & { readonly attachments: readonly Named[] })[]
  readonly proposal: string
  readonly proposals: readonly { readonly state: string }[]
}

/** What a tool has answered. */
export interface ToolAnswer {
  readonly isError: boolean
  /** The text of the answer, as an assistant gets it. */
  readonly text: string
  /** The same as a value; empty where it was refused. */
  readonly data: AnswerData
}

/** A program that speaks to `linnet mcp`, by the protocol's own client. */
export interface Assistant {
  readonly client: Client
  readonly call: (name: string, input?: Readonly<Record<string, unknown>>) => Promise<ToolAnswer>
  /** Of the server's process. */
  readonly pid: number | null
  readonly close: () => Promise<void>
}

/** Starts `linnet mcp` over a data folder. */
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
