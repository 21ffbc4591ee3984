import { Hono } from 'hono'
import { z } from 'zod'
import { deliveryReport, setDeliveryEvent } from '../mail/delivery-events.ts'
import type { Platform } from '../platform.ts'
import { ApiError, createNotFoundError } from './api-error.ts'
import { type Faults, faultRuleSchema } from './faults.ts'
import { parseBody } from './parse-body.ts'

/**
 * The endpoints behind `--faults`. They aren't part of the platform, so they have their own paths and no rate limit,
 * and they need the full-access key.
 * @param acting the routes of {@link createActingRoutes}
 * @param authorize throws unless the Authorization header has that key
 */
export function createControlEndpoints(
  platform: Platform,
  faults: Faults,
  acting: Hono,
  advanceClock: (milliseconds: number) => void,
  authorize: (authorization: string | undefined) => void,
): Hono {
  const control = new Hono()
  control.onError((error, context) => {
    const answer = error instanceof ApiError ? error : new ApiError(400, 'validation_error', error.message)
    return context.json(answer.body(), { status: answer.status as 400 })
  })
  control.use(async (context, next) => {
    authorize(context.req.header('authorization'))
    await next()
  })
  control.get('/faults', (context) => context.json({ faults: faults.state() }))
  control.put('/faults', async (context) => {
    faults.set(parseBody(z.object({ faults: z.array(faultRuleSchema) }), await context.req.json()).faults)
    return context.json({ faults: faults.state() })
  })
  control.post('/clock', async (context) => {
    const { advance_ms: milliseconds } = parseBody(z.object({ advance_ms: z.int().min(0) }), await context.req.json())
    advanceClock(milliseconds)
    return context.json({ advanced_ms: milliseconds })
  })
  control.put('/emails/:email', async (context) => {
    const report = parseBody(deliveryReport, await context.req.json())
    const id = context.req.param('email')
    const isKnown = platform.db.transaction(() => setDeliveryEvent(platform, id, report))
    if (!isKnown) throw createNotFoundError('Email not found')
    return context.json({ object: 'email', id })
  })
  control.route('/as', acting)
  control.all('*', () => {
    throw createNotFoundError(
      'The control endpoints are GET and PUT /_control/faults, POST /_control/clock, PUT /_control/emails/{email}, and changes of threads and drafts below /_control/as/dashboard and /_control/as/agent.',
    )
  })
  return control
}
