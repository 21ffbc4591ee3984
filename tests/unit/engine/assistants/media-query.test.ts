import { expect, it } from 'vitest'
import { isScreenQuery } from '../../../../src/engine/assistants/media-query.ts'

it.each([
  '',
  'all',
  'screen',
  'only screen and (min-width: 600px)',
  'print, screen',
  'not print',
  'not screen and (max-width: 600px)',
  '(min-width:37.5em) and (max-width:1200px)',
  '(width >= 600px)',
  '(400px <= width <= 1200px)',
  '(prefers-color-scheme: light)',
  'not (prefers-color-scheme: dark)',
  '(max-width:600px) or (min-width:900px)',
  '((min-width:600px) and (orientation:landscape))',
  'screen and (-webkit-min-device-pixel-ratio:0)',
  '(hover)',
])('%j matches a light screen', (query) => expect(isScreenQuery(query)).toBe(true))

it.each([
  'print',
  'screen and (max-width: 600px)',
  'not all',
  'not screen',
  '(width < 600px)',
  '(1200px <= width)',
  '(prefers-color-scheme: dark)',
  '(prefers-reduced-motion: reduce)',
  '(-ms-high-contrast: active)',
  'screen and (what: ever)',
  '((',
  'nonsense',
])('%j doesn’t', (query) => expect(isScreenQuery(query)).toBe(false))
