/** `linnet mcp`: serves mail to assistants with the Model Context Protocol over stdio. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { AnyObjectSchema, SchemaOutput } from '@modelcontextprotocol/sdk/server/zod-compat.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Result,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import manifest from '../../../package.json' with { type: 'json' }
import { quoteUntrustedText } from '../../engine/mail/assistants/quoting.ts'
import { APP_SCHEME, parseAppLink } from '../../shared/app-link.ts'
import { runInterruptible } from '../interruption.ts'
import { EXIT, type ExitCode } from '../terminal.ts'
import { QUOTED_FIELDS_WARNING } from './answers.ts'
import { ToolCalls, type ToolCallOutcome } from './tool-calls.ts'
import { PROMPTS } from './prompts.ts'
import { PROPOSING_TOOLS } from './proposing-tools.ts'
import { createInputProblem } from './readable-mail.ts'
import { listThreadsTool, searchMailTool, SEARCHING_TOOLS } from './searching-tools.ts'
import { READING_TOOLS, readThreadTool } from './reading-tools.ts'
import type { ToolContext, Tool } from './tool.ts'

const TOOLS: readonly Tool[] = [...SEARCHING_TOOLS, ...READING_TOOLS, ...PROPOSING_TOOLS]

const PROPOSALS = PROPOSING_TOOLS.filter(({ isReading }) => !isReading).map(({ name }) => name)

const INSTRUCTIONS = [
  'The mail in Linnet on this computer that the user has turned on for assistants.',
  QUOTED_FIELDS_WARNING,
  `You cannot send or change anything: ${new Intl.ListFormat('en-GB').format(PROPOSALS)} ask the user, who decides in Linnet.`,
].join(' ')

const JSON_TYPE = 'application/json'

/** From this revision on there is no handshake: each request names its revision and client. */
const STATELESS = '2026-07-28'
const VERSIONS = [STATELESS, ...SUPPORTED_PROTOCOL_VERSIONS]
const UNSUPPORTED_VERSION = -32_022
const META = 'io.modelcontextprotocol/'
const discoverSchema = z.object({ method: z.literal('server/discover') })
const clientSchema = z.object({ name: z.string(), version: z.string() })

/** Threads in the resource list. */
const MAX_LISTED_THREADS = 20
const TEXT = z.string()
const LISTED_THREAD = z.object({ id: TEXT, link: TEXT, inbox: TEXT, at: TEXT, quoted: z.object({ subject: TEXT }) })
const LISTED_THREADS = z.object({ threads: z.array(LISTED_THREAD) }).catch({ threads: [] })

const withNote = (data: Readonly<Record<string, unknown>>) => ({ note: QUOTED_FIELDS_WARNING, ...data })
const asText = (data: Readonly<Record<string, unknown>>): string => JSON.stringify(withNote(data))

/** Parses a tool's input. @throws ProblemError that says what is wrong */
const parseInput = (tool: Tool, input: unknown): never => {
  const parsed = tool.input.safeParse(input ?? {})
  // The tool's own schema produced this type.
  if (parsed.success) return parsed.data as never
  throw createInputProblem(`${tool.name}: ${z.prettifyError(parsed.error).replace(/\s+/g, ' ')}`)
}

const toolAnswer = (outcome: ToolCallOutcome) =>
  'data' in outcome
    ? {
        content: [{ type: 'text' as const, text: asText(outcome.data) }],
        structuredContent: withNote(outcome.data),
      }
    : { content: [{ type: 'text' as const, text: outcome.refusal }], isError: true }

/** Unwraps an outcome where the protocol can report a refusal only as an error. */
const dataOf = (outcome: ToolCallOutcome): Readonly<Record<string, unknown>> => {
  if ('data' in outcome) return outcome.data
  throw new McpError(ErrorCode.InvalidRequest, outcome.refusal)
}

/** One program's server. The SDK's own handlers would reject invalid input before it can be logged. */
const createServer = (calls: ToolCalls): McpServer['server'] => {
  const about = { name: 'linnet', title: 'Linnet', version: manifest.version }
  const capabilities = { tools: {}, resources: {}, prompts: {} }
  const { server } = new McpServer(about, { capabilities, instructions: INSTRUCTIONS })

  /** Handles requests that follow a handshake, or that use the revision without one. */
  const on = <Schema extends AnyObjectSchema>(
    schema: Schema,
    handle: (request: SchemaOutput<Schema>, client: string) => Result | Promise<Result>,
  ): void =>
    server.setRequestHandler(schema, async (request, { _meta: meta = {} }) => {
      const version = meta[`${META}protocolVersion`]
      const versions = { supported: VERSIONS, requested: version }
      if (![undefined, STATELESS].includes(version as string | undefined))
        throw new McpError(UNSUPPORTED_VERSION, 'Unsupported protocol version', versions)
      const known = clientSchema.safeParse(meta[`${META}clientInfo`]).data ?? server.getClientVersion()
      const isStateless = version !== undefined || known === undefined
      if (version === undefined && isStateless && (schema as unknown) !== discoverSchema)
        throw new McpError(ErrorCode.InvalidRequest, 'Send “initialize” first.')
      const result = await handle(
        request,
        quoteUntrustedText(`${known?.name ?? 'unknown'} ${known?.version ?? ''}`, 100),
      )
      const cache = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
      return isStateless ? { ...result, ...cache, _meta: { [`${META}serverInfo`]: about } } : result
    })
  const ask = (client: string, name: string, tool: Tool | undefined, input: unknown): Promise<ToolCallOutcome> =>
    calls.answer(client, name, input, (context) => {
      if (tool === undefined) throw createInputProblem(`There is no tool “${quoteUntrustedText(name, 100)}”.`)
      return tool.run(parseInput(tool, input), context)
    })

  on(discoverSchema, () => ({ supportedVersions: VERSIONS, capabilities, instructions: INSTRUCTIONS }))
  on(ListToolsRequestSchema, () => ({
    tools: TOOLS.map(({ name, title, description, input, isReading }) => ({
      ...{ name, title, description },
      inputSchema: z.toJSONSchema(input, { io: 'input' }) as { type: 'object' },
      annotations: { readOnlyHint: isReading, destructiveHint: false, idempotentHint: isReading, openWorldHint: false },
    })),
  }))
  on(CallToolRequestSchema, async ({ params: { name, arguments: input } }, client) => {
    const tool = TOOLS.find((each) => each.name === name)
    return toolAnswer(await ask(client, name, tool, input))
  })

  on(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      {
        name: 'thread',
        title: 'A thread',
        uriTemplate: `${APP_SCHEME}://thread/{inbox}/{thread}`,
        description: 'A thread and its newest messages, as in read_thread.',
        mimeType: JSON_TYPE,
      },
    ],
  }))
  on(ListResourcesRequestSchema, async (_request, client) => {
    const outcome = await ask(client, 'resources/list', listThreadsTool, { limit: MAX_LISTED_THREADS })
    // Without access the list is empty.
    const { threads } = LISTED_THREADS.parse('data' in outcome ? outcome.data : {})
    return {
      resources: threads.map(({ id, link, inbox, at }) => ({
        ...{ uri: link, name: `thread ${id}`, title: `${inbox}, ${at}`, mimeType: JSON_TYPE },
      })),
    }
  })
  on(ReadResourceRequestSchema, async ({ params: { uri } }, client) => {
    const link = parseAppLink(uri)
    if (link?.kind !== 'thread')
      throw new McpError(ErrorCode.InvalidParams, 'This is not a link to a thread in Linnet.')
    const data = dataOf(await ask(client, 'resources/read', readThreadTool, { thread: link.threadId }))
    return { contents: [{ uri, mimeType: JSON_TYPE, text: asText(data) }] }
  })

  on(ListPromptsRequestSchema, () => ({
    prompts: PROMPTS.map(({ name, title, description, arguments: taken }) => ({
      ...{ name, title, description, arguments: taken.map((each) => ({ ...each })) },
    })),
  }))
  on(GetPromptRequestSchema, async ({ params: { name, arguments: given = {} } }, client) => {
    const prompt = PROMPTS.find((each) => each.name === name)
    if (prompt === undefined) throw new McpError(ErrorCode.InvalidParams, 'There is no such prompt.')
    const data = dataOf(await ask(client, `prompts/${name}`, readThreadTool, { thread: given.thread }))
    const uri = z.object({ thread: z.object({ link: z.string() }) }).parse(data).thread.link
    return {
      description: prompt.description,
      messages: [
        { role: 'user' as const, content: { type: 'text' as const, text: prompt.say(given) } },
        {
          role: 'user' as const,
          content: { type: 'resource' as const, resource: { uri, mimeType: JSON_TYPE, text: asText(data) } },
        },
      ],
    }
  })
  return server
}

/** Warms up what the first requests need: each step is several times slower in a new process. */
const warmUp = async (context: ToolContext): Promise<void> => {
  const find = (query: string) => searchMailTool.run(parseInput(searchMailTool, { query }), context)
  const { threads } = LISTED_THREADS.parse((await find('in:anywhere')).data)
  const words = threads.flatMap(({ quoted: { subject } }) => subject.match(/[\p{L}\p{N}]{3,}/gu) ?? []).slice(0, 2)
  for (const query of ['is:unread', ...words, `"${words.join(' ')}"`]) await find(query)
}

/** Serves one program over stdio until it closes the streams or a signal arrives. */
export const runMcpServer = async (dataDirectory: string, only: string | undefined): Promise<ExitCode> => {
  const calls = new ToolCalls(dataDirectory, only)
  const server = createServer(calls)
  return runInterruptible(async ({ signal }) => {
    const over = Promise.withResolvers<undefined>()
    server.onclose = () => over.resolve(undefined)
    process.stdin.once('end', () => void server.close())
    signal.addEventListener('abort', () => void server.close())
    await calls.prepare(warmUp)
    const transport = new StdioServerTransport()
    // The SDK ignores lines that aren't messages, such as batches.
    transport.onerror = (thrown) => {
      const code = thrown instanceof SyntaxError ? ErrorCode.ParseError : ErrorCode.InvalidRequest
      const error = { code, message: 'Send one JSON-RPC message per line. Batches are not supported.' }
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`)
    }
    await server.connect(transport)
    await over.promise
    await calls.close()
    return signal.aborted ? EXIT.interrupted : EXIT.done
  })
}
