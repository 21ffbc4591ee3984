/** Templates are written and edited on the platform, and inserted into messages here. */

export const TEMPLATE_LIMITS = {
  templates: 1_000,
  /** Characters. */
  name: 200,
  subject: 2_000,
  /** Characters: generated HTML is longer than typed HTML. */
  html: 300_000,
  /** Twice the platform's limit. */
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
  /** Null if it has none, or isn't known yet. */
  readonly subject: string | null
}

export interface Template extends TemplateSummary {
  /** As received: hostile, with its variables unfilled. */
  readonly html: string
  readonly variables: readonly TemplateVariable[]
}
