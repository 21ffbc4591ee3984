/** The window over a mailbox in memory: `npx vite --config tests/unit/renderer/support/vite.config.ts`. */
import { createFixtureTransport } from './fixture-transport.ts'

const threads = Number(new URLSearchParams(location.search).get('threads') ?? '300')
Object.defineProperty(window, 'linnet', { value: createFixtureTransport({ threads }) })
await import('../../../../src/renderer/main.ts')
