/** @param receivedId the e-mail ID that the platform accepted */
export const originalKey = (receivedId: string): string => `original received:${receivedId}`
