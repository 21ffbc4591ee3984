/** @param receivedId the ID that the platform accepted when the raw source was requested */
export const rawMessageKey = (receivedId: string): string => `original received:${receivedId}`
