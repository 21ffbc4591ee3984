import type { ApiError } from './api-error.ts'
import type { ApiResponse } from './endpoint.ts'

export function jsonResponse({ status, body }: ApiResponse): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json; charset=utf-8' } })
}

export function errorResponse(error: ApiError): Response {
  return jsonResponse({ status: error.status, body: error.body() })
}
