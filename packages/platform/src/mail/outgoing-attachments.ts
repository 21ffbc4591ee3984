import { z } from 'zod'
import { ApiError, createValidationError } from '../http/api-error.ts'
import type { OutgoingAttachment } from './compose-message.ts'

/** `content` in base64, or `path`, a URL (platform.md 20.3). */
export const attachmentField = z.object({
  content: z.string().nullish(),
  path: z.string().nullish(),
  filename: z.union([z.string(), z.literal(false)]).nullish(),
  content_type: z.string().nullish(),
  content_id: z.string().nullish(),
})
type AttachmentField = z.infer<typeof attachmentField>

export interface AttachmentRules {
  /** `null` for no limit. */
  readonly files: number | null
  /** Limit of decoded bytes in total. */
  readonly bytes: number
  /** True if a `path` may point to this machine (platform.md 13.4: not for replies and forwards). */
  readonly localPaths: boolean
}

/** Decoded size of the 40 MB that base64 may take in a message (platform.md 20.3). */
const maxSentBytes = (40 * 1024 * 1024 * 3) / 4

/** See platform.md 20.3. */
export const sendAttachmentRules: AttachmentRules = { files: null, bytes: maxSentBytes, localPaths: true }
/** See platform.md 13.4 and 13.7. */
export const replyAttachmentRules: AttachmentRules = { files: 10, bytes: 25 * 1024 * 1024, localPaths: false }
/** See platform.md 14.4. */
export const draftAttachmentRules: AttachmentRules = { files: null, bytes: 25 * 1024 * 1024, localPaths: true }

/** Executables that mail services block. The platform's own list is unpublished. */
const blockedTypes = /\.(?:bat|cmd|com|cpl|exe|hta|jar|jse?|lnk|msi|msp|pif|ps1|reg|scr|vb[es]?|wsf|wsh)$/i

/**
 * Decodes attachments and downloads those given by URL.
 * @param already files and bytes from elsewhere in the message, such as a forwarded original
 * @throws ApiError 422 `invalid_attachment` or `validation_error`
 */
export async function resolveAttachments(
  fields: readonly AttachmentField[],
  rules: AttachmentRules,
  already: { readonly files: number; readonly bytes: number } = { files: 0, bytes: 0 },
): Promise<readonly OutgoingAttachment[]> {
  if (rules.files !== null && already.files + fields.length > rules.files) {
    throw createValidationError(`An email can have at most ${rules.files} attachments.`)
  }
  const attachments = await Promise.all(fields.map((field) => readAttachment(field, rules)))
  const bytes = attachments.reduce((sum, { content }) => sum + content.byteLength, already.bytes)
  if (bytes > rules.bytes)
    throw createValidationError(`Attachments can total at most ${Math.floor(rules.bytes / 1024 / 1024)} MB.`)
  return attachments
}

async function readAttachment(field: AttachmentField, rules: AttachmentRules): Promise<OutgoingAttachment> {
  const file = await readContent(field, rules)
  const filename = typeof field.filename === 'string' && field.filename !== '' ? field.filename : file.filename
  const contentType = field.content_type ?? file.contentType
  if (blockedTypes.test(filename)) throw invalidAttachment(`The file type of \`${filename}\` is not allowed.`)
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/.test(contentType)) {
    throw invalidAttachment(`The content type \`${contentType}\` is not a valid MIME type.`)
  }
  if (file.content.byteLength === 0) throw invalidAttachment(`The attachment \`${filename}\` is empty.`)
  return { filename, contentType, content: file.content, contentId: field.content_id ?? null }
}

interface FileContent {
  readonly filename: string
  readonly contentType: string
  readonly content: Buffer
}

async function readContent({ content, path }: AttachmentField, rules: AttachmentRules): Promise<FileContent> {
  if (typeof content === 'string') {
    if (!/^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/.test(content))
      throw invalidAttachment('Attachment `content` must be base64.')
    return { filename: 'attachment', contentType: 'application/octet-stream', content: Buffer.from(content, 'base64') }
  }
  if (typeof path === 'string') return download(path, rules)
  throw invalidAttachment('Attachment must have either a `content` or `path`.')
}

/** Download limit in milliseconds. */
const downloadTimeoutMs = 10_000

async function download(path: string, rules: AttachmentRules): Promise<FileContent> {
  const url = URL.canParse(path) ? new URL(path) : null
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw invalidAttachment('Attachment `path` must be an http or https URL.')
  }
  if (!rules.localPaths && ['localhost', '127.0.0.1', '0.0.0.0'].includes(url.hostname)) {
    throw invalidAttachment('Attachment `path` must not point to this machine.')
  }
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(downloadTimeoutMs) })
    if (!response.ok) throw new Error(`status ${response.status}`)
    return {
      filename: decodeURIComponent(url.pathname.split('/').at(-1) ?? '') || 'attachment',
      contentType: response.headers.get('content-type') ?? 'application/octet-stream',
      content: await bodyUpTo(response, rules.bytes),
    }
  } catch (error) {
    throw invalidAttachment(`Attachment \`path\` could not be downloaded: ${String(error)}`)
  }
}

async function bodyUpTo(response: Response, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > limit) throw new Error('it is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function invalidAttachment(message: string): ApiError {
  return new ApiError(422, 'invalid_attachment', message)
}
