/** Templates of the platform: e-mails that are written and edited there, and put into messages here. */

export const TEMPLATE_LIMITS = {
  templates: 1_000,
  /** Characters of a template's name. */
  name: 200,
  subject: 2_000,
  /** Characters of HTML: what is made by a program is longer than what a person writes. */
  html: 300_000,
  /** Twice as many as the platform allows. */
  variables: 100,
} as const

export interface TemplateVariable {
  readonly key: string
  readonly type: 'string' | 'number'
  /** What stands in for it where nothing is known; null for nothing. */
  readonly fallback: string | null
}

/** A published template, as a list of them shows it. */
export interface TemplateSummary {
  readonly id: string
  readonly name: string
  /** Null where it has none, or is not known yet. */
  readonly subject: string | null
}

export interface Template extends TemplateSummary {
  /** As the platform has it: hostile, and with its variables in it. */
  readonly html: string
  readonly variables: readonly TemplateVariable[]
}
