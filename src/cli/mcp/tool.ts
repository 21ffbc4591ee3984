import { z } from 'zod'
import type { LocalAccount } from '../local-accounts.ts'
import type { MailAccess, ReadableMail } from './readable-mail.ts'

export interface ToolResult {
  readonly data: Readonly<Record<string, unknown>>
  /** Log text, without anything a stranger wrote. */
  readonly said: string
  /** Accounts whose logs record the call. */
  readonly accounts: readonly LocalAccount[]
}

export interface ToolContext extends MailAccess {
  /** The program's name for itself. */
  readonly client: string
}

interface AboutTool<Shape extends z.ZodRawShape> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Shape
  /** True if the tool only reads; other tools submit proposals to the user. */
  readonly isReading: boolean
}

export type Tool = Omit<AboutTool<z.ZodRawShape>, 'input'> & {
  readonly input: z.ZodObject
  /** @param input parsed by `input` @throws ProblemError or CommandError, with text meant for the client */
  readonly run: (input: never, context: ToolContext) => ToolResult | Promise<ToolResult>
}

export const defineTool = <Shape extends z.ZodRawShape>(
  { input, ...about }: AboutTool<Shape>,
  run: (input: z.output<z.ZodObject<Shape, z.core.$strict>>, context: ToolContext) => ToolResult | Promise<ToolResult>,
): Tool => ({ ...about, input: z.strictObject(input), run })

export const createToolResult = (
  data: ToolResult['data'],
  said: string,
  mails: Iterable<Pick<ReadableMail, 'account'>>,
): ToolResult => ({
  data,
  said,
  accounts: [...new Set([...mails].map(({ account }) => account))],
})

export const formatCount = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

export const INPUT_SCHEMAS = {
  account: z
    .string()
    .max(500)
    .optional()
    .describe('An account: its name, ID, platform address or the address of an inbox. Default: all.'),
  inbox: z.string().max(500).optional().describe('The address or ID of an inbox. Default: all.'),
  id: z.string().min(1).max(512),
  limit: z.int().min(1).max(50).default(20),
  offset: z.int().min(0).max(1_000).default(0).describe('Number of results to skip.'),
} as const
