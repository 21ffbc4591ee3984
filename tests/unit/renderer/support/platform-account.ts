import type { FixtureHandlers } from './fixture-transport.ts'

/** One account on the platform instead of the demo, so that the settings have all sections. */
export const PLATFORM_ACCOUNT: FixtureHandlers = {
  'account.state': () => ({
    accounts: [
      {
        ...{ id: 'fixture', baseUrl: 'http://127.0.0.1:1', kind: 'platform', name: null, color: '#5B5BD6' },
        ...{ addresses: [], isOpen: true, isSignedIn: false, isKeyTested: true, isFromEnvironment: false },
        problem: null,
      },
    ],
    ...{ keyStorage: 'memory', problem: null, known: [], question: null, demoProgress: null },
  }),
}
