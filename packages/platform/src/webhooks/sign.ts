import { createHmac } from 'node:crypto'
import type { SignatureHeaders } from './webhook-types.ts'

/** @param secrets `whsec_…`; each gives one signature. @returns the headers in the format of Svix (platform.md 23.11) */
export function signDelivery(secrets: readonly string[], id: string, seconds: number, body: string): SignatureHeaders {
  const timestamp = String(seconds)
  return { id, timestamp, signature: secrets.map((secret) => sign(secret, id, timestamp, body)).join(' ') }
}

export function isSignedBy(secret: string, { id, timestamp, signature }: SignatureHeaders, body: string): boolean {
  return signature.split(' ').includes(sign(secret, id, timestamp, body))
}

function sign(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}
