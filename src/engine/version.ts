import manifest from '../../package.json' with { type: 'json' }

/** Said to the platform, which refuses requests without a `User-Agent` (platform facts 1). */
export const USER_AGENT = `Linnet/${manifest.version}`
