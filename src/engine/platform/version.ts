import manifest from '../../../package.json' with { type: 'json' }

/** Sent to the platform, which rejects requests without a `User-Agent` (platform.md 1.3). */
export const USER_AGENT = `Linnet/${manifest.version}`
