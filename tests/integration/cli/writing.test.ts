import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { startTestPlatform, type TestPlatform } from '../engine/support/test-platform.ts'
import { connect, openDataFolder, type DataFolder } from './support/data-folder.ts'
import { jsonLines, runLinnet } from './support/run-linnet.ts'

let folder: DataFolder
let platform: TestPlatform
beforeEach(async () => {
  folder = openDataFolder()
  platform = await startTestPlatform()
})

const keyOf = ({ baseUrl, apiKey }: TestPlatform) => ({ LINNET_BASE_URL: baseUrl, LINNET_API_KEY: apiKey })
const sync = (env: Readonly<Record<string, string>> = {}) =>
  runLinnet(['sync', '--once', '--data', folder.directory], env)

describe('linnet sync --once', () => {
  it('fetches new mail and sends queued changes, except while a window is open', async () => {
    const host = await connect(folder, platform)
    const refused = await sync(keyOf(platform))
    expect([refused.code, refused.out]).toEqual([4, ''])
    expect(refused.err).toContain('Do this in its window')
    expect((await runLinnet(['accounts', '--data', folder.directory])).code).toBe(0)
    await host.close()

    await platform.deliver({ subject: 'News' })
    const before = await runLinnet(['search', 'subject', '--data', folder.directory])
    expect(before.code).toBe(3)
    const synced = await sync(keyOf(platform))
    expect(synced.code, synced.err).toBe(0)
    const found = await runLinnet(['search', 'hello', '--json', '--data', folder.directory])
    expect(jsonLines(found)).toMatchObject([{ subject: 'News' }])
    expect(synced.out + synced.err).not.toContain(platform.apiKey)
  })

  it('explains a rejected key and an unreachable platform', async () => {
    await (await connect(folder, platform)).close()
    expect(await sync()).toMatchObject({ code: 2 })
    const other = await sync({ LINNET_BASE_URL: 'http://127.0.0.1:9', LINNET_API_KEY: 're_x' })
    expect(other.code).toBe(2)
    expect(other.err).toContain('does not match this account’s platform')
    const wrong = await sync({ ...keyOf(platform), LINNET_API_KEY: 're_wrong' })
    expect(wrong.code, wrong.err).toBe(1)
    await platform.stop()
    const offline = await sync(keyOf(platform))
    expect(offline.code).toBe(1)
    expect(offline.err).toContain('cannot be reached')
    expect((await runLinnet(['sync', '--data', folder.directory])).code).toBe(2)
  })
})

describe('linnet backup and restore', () => {
  it('bring an account to another data folder, readable and ready for a key', async () => {
    const host = await connect(folder, platform)
    await platform.deliver({ subject: 'Kept' })
    await host.close()
    await sync(keyOf(platform))
    const backups = temporaryDirectory()
    const made = await runLinnet(['backup', backups, '--data', folder.directory])
    expect(made.code, made.err).toBe(0)
    const backup = made.out.trim()
    expect(readdirSync(backups)).toHaveLength(1)

    const elsewhere = openDataFolder()
    const restored = await runLinnet(['restore', backup, '--data', elsewhere.directory])
    expect(restored.code, restored.err).toBe(0)
    const id = restored.out.trim()
    const found = await runLinnet(['search', 'hello', '--json', '--data', elsewhere.directory])
    expect(jsonLines(found)).toMatchObject([{ account: id, subject: 'Kept' }])

    const again = await runLinnet(['restore', backup, '--data', elsewhere.directory])
    expect(again.code).toBe(1)
    expect(again.err).toContain('is already on this computer')
    const replaced = await runLinnet(['restore', backup, '--replace', '--data', elsewhere.directory])
    expect(replaced.code, replaced.err).toBe(0)
    expect(replaced.err).toContain(join(elsewhere.directory, 'set-aside'))

    const window = await connect(elsewhere, platform)
    expect((await window.ask('account.state', {})).accounts).toMatchObject([{ id }])
    const query = createFolderQuery(platform.inboxId, 'inbox')
    expect(await window.ask('thread.list', { query, offset: 0, limit: 5 })).toMatchObject({
      items: [{ subject: 'Kept' }],
    })
    const held = await runLinnet(['restore', backup, '--replace', '--data', elsewhere.directory])
    expect(held.code, held.err).toBe(4)
    const beside = await runLinnet(['backup', backups, '--data', elsewhere.directory])
    expect(beside.code).toBe(4)
    await window.close()

    const third = openDataFolder()
    const opened = third.start()
    expect(await opened.ask('backup.restore', { folder: backup })).toMatchObject({ id, kind: 'platform' })
    expect((await opened.ask('sync.status', {})).connection).toBe('needsKey')
    expect((await opened.problemOf('backup.restore', { folder: backup })).code).toBe('refused')
    await opened.ask('account.setKey', { accountId: id, apiKey: platform.apiKey })
    expect(await opened.ask('thread.list', { query, offset: 0, limit: 5 })).toMatchObject({ total: 1 })
  })
})
