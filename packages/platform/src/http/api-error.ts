/** All error names of the platform (platform.md 4.2). */
export type ErrorName =
  | 'application_error'
  | 'concurrent_idempotent_requests'
  | 'invalid_api_key'
  | 'invalid_attachment'
  | 'invalid_idempotency_key'
  | 'invalid_idempotent_request'
  | 'invalid_parameter'
  | 'invalid_permission'
  | 'invalid_region'
  | 'method_not_allowed'
  | 'missing_api_key'
  | 'missing_required_field'
  | 'not_found'
  | 'rate_limit_exceeded'
  | 'resource_locked'
  | 'restricted_api_key'
  | 'service_unavailable'
  | 'validation_error'

/** An error response. Endpoint code throws it; the HTTP layer writes it. */
export class ApiError extends Error {
  readonly status: number
  override readonly name: ErrorName

  constructor(status: number, name: ErrorName, message: string) {
    super(message)
    this.status = status
    this.name = name
  }

  /** The flat body with keys in the platform's order (platform.md 4.1). */
  body(): { readonly statusCode: number; readonly message: string; readonly name: ErrorName } {
    return { statusCode: this.status, message: this.message, name: this.name }
  }
}

export function createValidationError(message: string): ApiError {
  return new ApiError(422, 'validation_error', message)
}

/** 404 `not_found`. @param thing message such as `Email not found` */
export function createNotFoundError(thing: string): ApiError {
  return new ApiError(404, 'not_found', thing)
}
