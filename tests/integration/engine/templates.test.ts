import { describe, expect, it } from 'vitest'
import { TEMPLATE_LIMITS } from '../../../src/shared/templates.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { eventually } from './support/eventually.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const MINUTE = 60_000

const write = async (
  platform: TestPlatform,
  name: string,
  fields: object = {},
  isPublished = true,
): Promise<string> => {
  const { id } = await platform.ask<{ id: string }>('POST', '/templates', { name, html: `<p>${name}</p>`, ...fields })
  if (isPublished) await platform.ask('POST', `/templates/${id}/publish`)
  return id
}
const asked = (platform: TestPlatform): readonly string[] =>
  platform.requests().filter((request) => request.startsWith('GET /templates'))
const names = async (engine: TestEngine): Promise<readonly string[]> =>
  (await engine.call('template.list', {})).map(({ name }) => name)
/** Waits until the content of the templates is loaded as well. */
const looked = async (engine: TestEngine, subjects: readonly (string | null)[]): Promise<void> => {
  await engine.call('template.refresh', {})
  await eventually(
    () => engine.call('template.list', {}),
    (all) => JSON.stringify(all.map(({ subject }) => subject)) === JSON.stringify(subjects),
  )
}

describe('templates of the platform', () => {
  it('are requested when about to be chosen, once in five minutes', async () => {
    const platform = await startTestPlatform()
    await write(platform, 'Welcome', { subject: 'Hello' })
    await write(platform, 'Draft', {}, false)
    const engine = await openSettledEngine(platform)
    await engine.call('sync.now', {})
    await engine.advance(20 * MINUTE)
    expect(asked(platform)).toEqual([])
    expect(await names(engine)).toEqual([])

    // Two windows share the response.
    await Promise.all([engine.call('template.refresh', {}), looked(engine, ['Hello'])])
    expect(await names(engine)).toEqual(['Welcome'])
    expect(asked(platform)).toHaveLength(2)
    await engine.call('template.refresh', {})
    expect(asked(platform)).toHaveLength(2)

    // An unchanged template isn't fetched again.
    await engine.skip(6 * MINUTE)
    await engine.call('template.refresh', {})
    await engine.advance(MINUTE)
    expect(asked(platform)).toHaveLength(3)
  })

  it('stay available offline and after a restart', async () => {
    const platform = await startTestPlatform()
    const id = await write(platform, 'Welcome', {
      subject: 'Hello {{{NAME}}}',
      html: '<p>{{{NAME}}}, {{{SEATS}}}</p>',
      variables: [
        { key: 'NAME', type: 'string', fallback_value: 'friend' },
        { key: 'SEATS', type: 'number' },
      ],
    })
    const directory = temporaryDirectory()
    const first = await openSettledEngine(platform, directory)
    await looked(first, ['Hello {{{NAME}}}'])
    await first.close()
    await platform.stop()
    const engine = await openTestEngine(platform, directory)
    expect(await engine.call('template.get', { id })).toEqual({
      ...{ id, name: 'Welcome', subject: 'Hello {{{NAME}}}', html: '<p>{{{NAME}}}, {{{SEATS}}}</p>' },
      variables: [
        { key: 'NAME', type: 'string', fallback: 'friend' },
        { key: 'SEATS', type: 'number', fallback: null },
      ],
    })
    expect(await engine.problemOf('template.get', { id: 'another' })).toMatchObject({ code: 'unreachable' })
  })

  it('follow published changes at the next refresh', async () => {
    const platform = await startTestPlatform()
    const welcome = await write(platform, 'Welcome', { subject: 'One' })
    const gone = await write(platform, 'Gone', { subject: 'Two' })
    const engine = await openSettledEngine(platform)
    await looked(engine, ['Two', 'One'])
    await engine.advance(1_000)
    await platform.ask('PATCH', `/templates/${welcome}`, { name: 'Hello', subject: 'Three' })
    await platform.ask('DELETE', `/templates/${gone}`)
    await engine.skip(6 * MINUTE)
    await looked(engine, ['Three'])
    expect(await names(engine)).toEqual(['Hello'])
    expect(await engine.problemOf('template.get', { id: gone })).toMatchObject({ code: 'not_found' })
  })

  it('are all listed across pages, with an oversized one reported', async () => {
    const platform = await startTestPlatform()
    for (let number = 1; number <= 102; number += 1) await write(platform, `Template ${number}`)
    const large = await write(platform, 'Large', { html: `<p>${'x'.repeat(TEMPLATE_LIMITS.html)}</p>` })
    const engine = await openSettledEngine(platform)
    await engine.call('template.refresh', {})
    const listed = await names(engine)
    expect(listed).toHaveLength(103)
    expect(listed.slice(0, 4)).toEqual(['Large', 'Template 1', 'Template 2', 'Template 3'])
    expect(await engine.problemOf('template.get', { id: large })).toMatchObject({ code: 'refused' })
    const [, first] = await engine.call('template.list', {})
    expect((await engine.call('template.get', { id: first?.id ?? '' })).html).toBe('<p>Template 1</p>')
  })

  it('aren’t requested again from a platform without them', async () => {
    const platform = await startTestPlatform({ operations: 'contract' })
    const engine = await openSettledEngine(platform)
    for (let look = 0; look < 10; look += 1) await engine.call('template.refresh', {})
    expect(asked(platform).length).toBeLessThan(4)
    expect(await names(engine)).toEqual([])
  })
})
