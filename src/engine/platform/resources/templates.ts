import { z } from 'zod'
import { TEMPLATE_LIMITS, type Template } from '../../../shared/templates.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'
import { apiPath } from '../api-path.ts'
import { wireListOf, wireId, createParser, wireText } from '../parse-response.ts'
import type { CallOptions, Requests } from '../requests.ts'

/** Limit for a template with HTML, text and variables. */
const MAX_BYTES = 4 * 1024 * 1024
/** Longer than any readable fallback. */
const MAX_FALLBACK = 2_000

const wireItem = z.looseObject({ id: wireId, name: wireText, alias: wireText, status: wireText, updated_at: wireText })
const wireVariable = z.looseObject({
  key: z.string().min(1).max(100),
  type: wireText,
  fallback_value: z.union([z.string(), z.number()]).nullable().optional().catch(undefined),
})
const wireTemplate = wireItem.extend({
  subject: wireText,
  html: wireText,
  text: wireText,
  variables: wireListOf(wireVariable),
})

export interface ListedTemplate {
  readonly id: string
  readonly name: string
  readonly isPublished: boolean
  /** The platform's timestamp, unparsed; it changes with each edit. */
  readonly updatedAt: string
}

export interface FetchedTemplate extends ListedTemplate {
  /** Null if it exceeds Linnet's limits. */
  readonly template: Template | null
}

const toListed = (wire: z.output<typeof wireItem>): ListedTemplate => {
  const name = [wire.name, wire.alias].map((each) => toVisibleText(each ?? '').trim()).find((each) => each !== '')
  return {
    id: wire.id,
    name: (name ?? wire.id).slice(0, TEMPLATE_LIMITS.name),
    isPublished: wire.status === 'published',
    updatedAt: (wire.updated_at ?? '').slice(0, 64),
  }
}

const textToHtml = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>')

const toTemplate = (wire: z.output<typeof wireTemplate>): FetchedTemplate => {
  const listed = toListed(wire)
  const html = (wire.html ?? '').trim() === '' ? textToHtml(wire.text ?? '') : (wire.html ?? '')
  const subject = toVisibleText(wire.subject ?? '').trim()
  return {
    ...listed,
    template:
      html.length > TEMPLATE_LIMITS.html
        ? null
        : {
            id: listed.id,
            name: listed.name,
            subject: subject === '' ? null : subject.slice(0, TEMPLATE_LIMITS.subject),
            html,
            variables: (wire.variables ?? [])
              .slice(0, TEMPLATE_LIMITS.variables)
              .map(({ key, type, fallback_value: fallback = null }) => ({
                key,
                type: type === 'number' ? 'number' : 'string',
                fallback: fallback === null ? null : String(fallback).slice(0, MAX_FALLBACK),
              })),
          },
  }
}

const parseTemplatePage = createParser(wireItem, toListed).page
const parseTemplate = createParser(wireTemplate, toTemplate).one

/**
 * Templates, from the vendor's docs and clients. They don't specify which version is returned if a template was edited
 * after publishing.
 */
export const createTemplateCalls = (requests: Requests) => ({
  /** Newest first, including drafts. */
  listTemplates: async (options: CallOptions): Promise<readonly ListedTemplate[]> =>
    requests.all(parseTemplatePage, apiPath`/templates`, options, TEMPLATE_LIMITS.templates),

  /** 404 if deleted. */
  getTemplate: async (templateId: string, options: CallOptions): Promise<FetchedTemplate> =>
    parseTemplate(await requests.get(apiPath`/templates/${templateId}`, options, { maxBytes: MAX_BYTES }), templateId),
})
