/** Templates are written and edited on the platform, and inserted into messages in Linnet. */

export const TEMPLATE_LIMITS = {
  templates: 1_000,
  /** Maximum characters of a template's name. */
  name: 200,
  subject: 2_000,
  /** Maximum characters of HTML. Generated HTML is longer than typed HTML. */
  html: 300_000,
  /** Maximum number of variables: twice the platform's limit. */
  variables: 100,
} as const

export interface TemplateVariable {
  readonly key: string
  readonly type: 'string' | 'number'
  readonly fallback: string | null
}

export interface TemplateSummary {
  readonly id: string
  readonly name: string
  /** Null if the template has no subject, or if the subject isn't known yet. */
  readonly subject: string | null
}

export interface Template extends TemplateSummary {
  /** HTML as received: untrusted, with its variables not filled in. */
  readonly html: string
  readonly variables: readonly TemplateVariable[]
}
