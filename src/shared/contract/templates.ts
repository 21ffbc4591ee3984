/** Templates of the platform: read here, edited there. */
import { z } from 'zod'
import type { Template, TemplateSummary } from '../templates.ts'
import { engine } from './command.ts'
import { id, nothing } from './inputs.ts'

export const templateCommands = {
  /** Locally known published templates, by name. */
  'template.list': engine<readonly TemplateSummary[]>()('joined', nothing),
  /** At most once in five minutes; `templates.changed` announces the result. `unreachable` offline. */
  'template.refresh': engine<null>()('each', nothing),
  /** Stored or requested. `unreachable` if neither works, `not_found` if unpublished, `refused` if too large. */
  'template.get': engine<Template>()('owner', () => z.object({ id }).strict()),
}

export interface TemplateEvents {
  'templates.changed': null
}
