/** Under which an original is kept. @param receivedId of the e-mail, as the platform took it */
export const originalKey = (receivedId: string): string => `original received:${receivedId}`
