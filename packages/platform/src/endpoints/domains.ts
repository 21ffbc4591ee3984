import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ApiError, createNotFoundError, createValidationError } from '../http/api-error.ts'
import { formatOffsetDate } from '../http/dates.ts'
import { type ApiRequest, type Endpoint, defineEndpoint, respondCreated, respondOk } from '../http/endpoint.ts'
import { listShape, paginationParameters, parsePageRequest, readPage, toListResponse } from '../http/pagination.ts'
import { domainOf } from '../mail/addresses.ts'
import {
  type DomainRow,
  type DomainSettings,
  type DomainUse,
  capabilityStates,
  defaultDomain,
  domainRegions,
  findDomain,
  insertDomain,
  parseVerifiedUses,
  startDomainCheck,
  updateDomain,
  usesOf,
} from '../storage/domains.ts'
import { createDeletionSchema, createReferenceSchema, offsetTime, text, uuid } from './shapes.ts'

const capabilityState = z.enum(capabilityStates)
const capabilitiesShape = z.strictObject({ sending: capabilityState, receiving: capabilityState })

/** Source of all shapes: the types of the vendor's SDK. */
const domainItemShape = z.strictObject({
  id: uuid,
  name: text,
  status: z.enum(['not_started', 'pending', 'verified', 'partially_verified']),
  created_at: offsetTime,
  region: z.enum(domainRegions),
  open_tracking: z.boolean(),
  click_tracking: z.boolean(),
  tracking_subdomain: text.optional(),
  capabilities: capabilitiesShape,
})

const recordShape = z.strictObject({
  record: z.enum(['SPF', 'DKIM', 'Receiving', 'Tracking']),
  name: text,
  type: z.enum(['MX', 'TXT', 'CNAME']),
  ttl: text,
  status: z.enum(['not_started', 'pending', 'verified']),
  value: text,
  priority: z.int().optional(),
})
type DnsRecord = z.infer<typeof recordShape>

const newDomainShape = domainItemShape.extend({ records: z.array(recordShape) })

const domainHint = 'It must be a domain name such as `example.com`'
const label = String.raw`[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?`
const domainPattern = new RegExp(String.raw`^(?=.{1,253}$)(?:${label}\.)+${label}$`)

/** A domain name in any case, with non-ASCII letters or their encoding. */
const domainField = z
  .string()
  .regex(/^[^@]+$/, domainHint)
  .transform(domainOf)
  .refine((name) => domainPattern.test(name), domainHint)
const labelField = z
  .string()
  .regex(/^[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/i, 'It must be a subdomain without dots, such as `send`')
  .transform((value) => value.toLowerCase())

/** Fields that can be changed later. `tls` is accepted, but no response shows it. */
const settingsFields = {
  open_tracking: z.boolean().optional(),
  click_tracking: z.boolean().optional(),
  tracking_subdomain: labelField.optional(),
  tls: z.enum(['opportunistic', 'enforced']).optional(),
  capabilities: z.object({ sending: capabilityState.optional(), receiving: capabilityState.optional() }).optional(),
}
const settingsBody = z.object(settingsFields)

export const domainEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    path: '/domains',
    summary: 'List domains, newest first',
    query: paginationParameters,
    answers: { 200: listShape(domainItemShape) },
    handle(request) {
      const page = readPage<DomainRow>(
        request.platform.db,
        { select: 'SELECT * FROM domains', values: [], orderedBy: 'created_at', order: 'newest first' },
        parsePageRequest(request.query, null),
      )
      return respondOk(toListResponse(page, showDomainItem))
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/domains',
    summary: 'Add a domain; its DNS records are not checked yet',
    body: z.object({
      name: domainField,
      region: z.string().optional(),
      custom_return_path: labelField.optional(),
      ...settingsFields,
    }),
    answers: { 201: newDomainShape },
    handle(request, body) {
      const { db, now } = request.platform
      const { name, custom_return_path: returnPath = defaultDomain.return_path } = body
      const region = parseRegion(body.region ?? defaultDomain.region)
      const settings = applySettings(defaultDomain, body)
      return () => {
        if (findDomain(db, name))
          throw new ApiError(403, 'validation_error', `The ${name} domain has been registered already.`)
        const domain = { ...defaultDomain, ...settings, name, region, return_path: returnPath }
        return respondCreated(showDomain(insertDomain(db, domain, now())))
      }
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/domains/:domain',
    summary: 'Retrieve a domain with its DNS records',
    answers: { 200: newDomainShape.extend({ object: z.literal('domain') }) },
    handle: (request) => respondOk({ object: 'domain', ...showDomain(requireDomain(request)) }),
  }),

  defineEndpoint({
    method: 'PATCH',
    path: '/domains/:domain',
    summary: 'Change the tracking, TLS or capabilities of a domain',
    body: settingsBody,
    answers: { 200: createReferenceSchema('domain') },
    handle(request, body) {
      const domain = requireDomain(request)
      const settings = applySettings(domain, body)
      return () => {
        updateDomain(request.platform.db, domain, settings)
        return respondOk({ object: 'domain', id: domain.id })
      }
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/domains/:domain/verify',
    summary: 'Start checking the DNS records of a domain',
    answers: { 200: createReferenceSchema('domain') },
    handle(request) {
      const { db, now } = request.platform
      const domain = requireDomain(request)
      return () => {
        startDomainCheck(db, domain, now())
        return respondOk({ object: 'domain', id: domain.id })
      }
    },
  }),

  defineEndpoint({
    method: 'DELETE',
    path: '/domains/:domain',
    summary: 'Delete a domain without inboxes',
    answers: { 200: createDeletionSchema('domain') },
    handle(request) {
      const { db } = request.platform
      const domain = requireDomain(request)
      return () => {
        if (db.get('SELECT 1 FROM inboxes WHERE domain_id = ?', domain.id))
          throw createValidationError('The domain has inboxes. Delete them first.')
        db.run('DELETE FROM domains WHERE seq = ?', domain.seq)
        return respondOk({ object: 'domain', id: domain.id, deleted: true })
      }
    },
  }),
]

/** The published error for sending from an unverified domain (platform.md 4.2). */
export function createUnverifiedDomainError(name: string): ApiError {
  const message = `The ${name} domain is not verified. Please, add and verify your domain.`
  return new ApiError(403, 'validation_error', message)
}

/** Payload of a domain's events (vendor documentation, "domain.updated"). */
export function showDomainInEvent(domain: DomainRow): object {
  const { id, name, status, created_at, region, capabilities, records } = showDomain(domain)
  return { id, name, status, created_at, region, capabilities, records }
}

function requireDomain(request: ApiRequest): DomainRow {
  const domain = request.platform.db.get<DomainRow>('SELECT * FROM domains WHERE id = ?', request.param('domain'))
  if (!domain) throw createNotFoundError('Domain not found')
  return domain
}

/** @throws ApiError 422 `invalid_region`, the platform's own error */
function parseRegion(value: string): DomainRow['region'] {
  const region = domainRegions.find((known) => known === value)
  if (region) return region
  const known = domainRegions.map((name) => `"${name}"`).join(' | ')
  throw new ApiError(422, 'invalid_region', `Region must be ${known}.`)
}

/** @throws ApiError 422 unless the domain can still send or receive */
function applySettings(
  current: DomainSettings,
  { capabilities, ...changes }: z.infer<typeof settingsBody>,
): DomainSettings {
  const settings = {
    sending: capabilities?.sending ?? current.sending,
    receiving: capabilities?.receiving ?? current.receiving,
    open_tracking: Number(changes.open_tracking ?? current.open_tracking),
    click_tracking: Number(changes.click_tracking ?? current.click_tracking),
    tracking_subdomain: changes.tracking_subdomain ?? current.tracking_subdomain,
  }
  if (settings.sending === 'disabled' && settings.receiving === 'disabled')
    throw createValidationError('At least one of `sending` and `receiving` must be enabled.')
  return settings
}

function showDomain(domain: DomainRow): z.infer<typeof newDomainShape> {
  return { ...showDomainItem(domain), records: usesOf(domain).flatMap((use) => showRecords(domain, use)) }
}

function showDomainItem(domain: DomainRow): z.infer<typeof domainItemShape> {
  return {
    id: domain.id,
    name: domain.name,
    status: statusOf(domain),
    created_at: formatOffsetDate(domain.created_at),
    region: domain.region,
    open_tracking: domain.open_tracking === 1,
    click_tracking: domain.click_tracking === 1,
    ...(domain.tracking_subdomain === null ? {} : { tracking_subdomain: domain.tracking_subdomain }),
    capabilities: { sending: domain.sending, receiving: domain.receiving },
  }
}

/** A check makes the domain `pending`, whatever it was. Tracking doesn't count. */
function statusOf(domain: DomainRow): z.infer<typeof domainItemShape>['status'] {
  if (domain.check_ends_at !== null) return 'pending'
  const verified = parseVerifiedUses(domain)
  const needed = usesOf(domain).filter((use) => use !== 'tracking')
  if (needed.every((use) => verified.includes(use))) return 'verified'
  return needed.some((use) => verified.includes(use)) ? 'partially_verified' : 'not_started'
}

function showRecords(domain: DomainRow, use: DomainUse): readonly DnsRecord[] {
  const unverified = domain.check_ends_at === null ? 'not_started' : 'pending'
  const status = parseVerifiedUses(domain).includes(use) ? 'verified' : unverified
  return recordsFor(domain, use).map((record) => ({ ...record, ttl: 'Auto', status }))
}

/** DNS records like those that the platform asks for. Names are relative to the zone, here the last two labels. */
function recordsFor(domain: DomainRow, use: DomainUse): readonly Omit<DnsRecord, 'ttl' | 'status'>[] {
  const { id, name, region, tracking_subdomain: tracking } = domain
  const inZone = (label: string): string => [label, ...name.split('.').slice(0, -2)].join('.')
  if (use === 'receiving') {
    const value = `inbound-smtp.${region}.amazonaws.com`
    return [{ record: 'Receiving', name, type: 'MX', value, priority: 10 }]
  }
  if (use === 'tracking') {
    return [{ record: 'Tracking', name: `${tracking}.${name}`, type: 'CNAME', value: 'links1.resend-dns.com' }]
  }
  const returnPath = inZone(domain.return_path)
  const server = `feedback-smtp.${region}.amazonses.com`
  return [
    { record: 'SPF', name: returnPath, type: 'MX', value: server, priority: 10 },
    { record: 'SPF', name: returnPath, type: 'TXT', value: '"v=spf1 include:amazonses.com ~all"' },
    ...[1, 2, 3].map((number) => {
      const selector = createHash('sha256').update(`${id} ${number}`).digest('hex').slice(0, 32)
      const value = `${selector}.dkim.amazonses.com.`
      return { record: 'DKIM', name: inZone(`${selector}._domainkey`), type: 'CNAME', value } as const
    }),
  ]
}
