import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

/** Schema of every error (platform.md 4.1). */
const errorSchema = {
  type: 'object',
  properties: { statusCode: { type: 'integer' }, message: { type: 'string' }, name: { type: 'string' } },
  required: ['statusCode', 'message', 'name'],
  additionalProperties: false,
}

/** OpenAPI 3.1 document, from the declarations that validate bodies at run time. @param serverUrl the base URL */
export function createOpenApiDocument(endpoints: readonly Endpoint[], serverUrl: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Local mail platform',
      version: '1',
      description: 'Operations with x-contract are those of the contract; the others follow public documents.',
    },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: errorSchema },
    },
  }
}

function operation(endpoint: Endpoint): object {
  return {
    operationId: toOperationId(endpoint),
    summary: endpoint.summary,
    'x-contract': endpoint.inContract,
    'x-permission': endpoint.permission,
    parameters: [
      ...[...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => parameter('path', name ?? '')),
      ...endpoint.query.map(({ name, description }) => parameter('query', name, description)),
      ...(endpoint.idempotent
        ? [parameter('header', 'Idempotency-Key', 'Makes a repeated request take effect once.')]
        : []),
    ],
    ...(endpoint.body ? { requestBody: requestBody(endpoint.body) } : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(endpoint.answers).map(([status, shape]) => [
          status,
          { description: 'Success', content: json(schemaOf(shape, 'output')) },
        ]),
      ),
      default: { description: 'Error', content: json({ $ref: '#/components/schemas/Error' }) },
    },
  }
}

/** A missing body counts as an empty object (`parseBody`), so the body is required if an empty object is invalid. */
function requestBody(shape: z.ZodType): object {
  return { required: !shape.safeParse({}).success, content: json(schemaOf(shape, 'input')) }
}

/** `GET /inboxes/:inbox/threads` becomes `get-inboxes-inbox-threads`. */
export function toOperationId({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method.toLowerCase()}${path.replace(/[/:]+/g, '-')}`
}

function parameter(place: 'path' | 'query' | 'header', name: string, description?: string): object {
  return {
    name,
    in: place,
    required: place === 'path',
    ...(description === undefined ? {} : { description }),
    schema: { type: 'string' },
  }
}

function json(schema: object): object {
  return { 'application/json': { schema } }
}

function schemaOf(shape: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io })
  return schema
}
