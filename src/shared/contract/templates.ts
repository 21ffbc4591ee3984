/** Templates of the platform: read here, edited there. */
import { z } from 'zod'
import type { Template, TemplateSummary } from '../templates.ts'
import { engine } from './command.ts'
import { id, nothing } from './inputs.ts'

export const templateCommands = {
  /** The published templates that are known here, by their names. */
  'template.list': engine<readonly TemplateSummary[]>()('joined', nothing),
  /**
   * Asks the platform for its templates, at most once in five minutes; `templates.changed` says what came of it. `unreachable`
   * offline.
   */
  'template.refresh': engine<null>()('each', nothing),
  /**
   * What a template says: what is kept of it, else the platform is asked. `unreachable` offline where it is not kept, `not_found` where
   * it is no longer published, `refused` for one that is too large.
   */
  'template.get': engine<Template>()('owner', () => z.object({ id }).strict()),
}

export interface TemplateEvents {
  /** Templates were published, changed or withdrawn, or more is known of them. */
  'templates.changed': null
}
