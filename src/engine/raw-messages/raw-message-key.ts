/** @param receivedId the e-mail ID that the platform accepted */
export const rawMessageKey = (receivedId: string): string => `original received:${receivedId}`
