import { describe, expect, it } from 'vitest'
import '../../../src/renderer/features/attachments/prepare-pdf-worker.ts'

describe('arrays in the PDF reader', () => {
  it('behave as usual up to the PDF memory limit', () => {
    const bytes = new Uint8Array([1, 2, 3])
    expect(bytes).toBeInstanceOf(Uint8Array)
    expect([...new Uint8Array(bytes.buffer, 1)]).toEqual([2, 3])
    expect(Uint8Array.from([4]).length).toBe(1)
    expect(new Uint8Array().length).toBe(0)
    expect(new Float32Array(bytes)).toEqual(Float32Array.of(1, 2, 3))
    expect(bytes.subarray(1)).toBeInstanceOf(Uint8Array)
    expect(Uint8Array.BYTES_PER_ELEMENT).toBe(1)
  })

  it('throw above the limit, counted in bytes for every type', () => {
    const most = 256 * 1024 * 1024
    expect(() => new Uint8Array(most + 1)).toThrow(RangeError)
    expect(() => new ArrayBuffer(most + 1)).toThrow(RangeError)
    expect(new ArrayBuffer(8)).toBeInstanceOf(ArrayBuffer)
    expect(() => new Uint8ClampedArray(most + 1)).toThrow(RangeError)
    expect(() => new Float32Array(most / 4 + 1)).toThrow(RangeError)
    expect(() => new Float64Array(most / 8 + 1)).toThrow(RangeError)
  })
})
