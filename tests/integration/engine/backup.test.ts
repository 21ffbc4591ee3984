import Database from 'better-sqlite3'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { toBackupProblem } from '../../../src/engine/files/backup/write-backup.ts'
import { StoredAccounts } from '../../../src/host/stored-accounts.ts'
import { openBackup, restoreBackup } from '../../../src/host/restore-backup.ts'
import { serializeManifest, type BackupManifest } from '../../../src/shared/backup-manifest.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { listCached } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { openSynced } from './support/synced-account.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

let folder: string
let elsewhere: string
beforeEach(() => {
  folder = temporaryDirectory()
  elsewhere = temporaryDirectory()
})

const freshSettings = () => {
  const values = new Map<string, unknown>()
  const store = {
    get: (key: string) => values.get(key),
    set: (next: object) => Object.entries(next).forEach(([key, value]) => values.set(key, value)),
  }
  return { values, settings: new StoredAccounts(store) }
}

const restoreElsewhere = (backup: string, canReplace = false) =>
  restoreBackup(backup, elsewhere, freshSettings().settings, { canReplace })

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing was wrong',
    (thrown: unknown) => (thrown instanceof ProblemError ? thrown.problem.message : String(thrown)),
  )

const openRestored = async (id: string, { baseUrl, apiKey }: TestPlatform): Promise<TestEngine> =>
  openTestEngine({ baseUrl, apiKey }, join(elsewhere, 'accounts', id))

const threadsOf = async (engine: TestEngine, inboxId: string) => {
  const pages = []
  for (const name of ['inbox', 'archive', 'sent', 'spam', 'trash'] as const) {
    pages.push(await engine.call('thread.list', { query: createFolderQuery(inboxId, name), offset: 0, limit: 200 }))
  }
  return pages.map(({ items, total }) => ({ total, items }))
}

describe('a backup', () => {
  it('restores threads, changes, searches and attachments elsewhere, without the key', async () => {
    const { platform, engine } = await openSynced({ dataset: 'demo' })
    const { inboxId } = platform
    await engine.call('savedSearch.save', { name: 'Files', inboxId, text: 'has:attachment', before: null })
    const rule = await engine.call('rule.save', {
      ...{ id: null, name: 'No plans', inboxId, text: '-plan', addLabels: [], move: null },
      ...{ markRead: true, star: false, notify: null, isOn: true },
    })
    await engine.call('rule.run', { id: rule.id })
    const log = await engine.call('rule.log', { id: rule.id, before: null, limit: 5 })
    expect(log).toHaveLength(1)
    await platform.deliver({
      subject: 'Plan',
      attachments: [{ filename: 'plan.bin', content: Buffer.alloc(300_000, 7) }],
    })
    await engine.call('sync.now', {})
    const query = createFolderQuery(inboxId, 'inbox')
    const found = await eventually(
      () => engine.call('thread.list', { query, offset: 0, limit: 1 }),
      ({ items }) => items[0]?.subject === 'Plan',
    )
    const threadId = found.items[0]?.id ?? ''
    const { emails } = await engine.call('thread.open', { inboxId, threadId })
    const [email] = emails
    const of = { list: 'threads', inboxId, threadId, emailId: email?.id ?? '' } as const
    const attachmentId = email?.attachments[0]?.id ?? ''
    await engine.call('attachment.open', { of, attachmentId })
    await engine.settled()
    await platform.stop()
    await engine.call('thread.change', { inboxId, threadIds: [threadId], change: { folder: 'archive' } })
    const before = await threadsOf(engine, inboxId)
    const people = { to: [{ name: null, address: 'ada@example.com' }], cc: [], bcc: [] }
    const words = { subject: 'Plan', format: 'plain', html: '', text: 'As attached.', quote: null } as const
    const started = { inboxId, kind: 'new', target: null, content: { ...people, ...words, files: [] } } as const
    const { draftId } = await engine.call('draft.create', started)
    const file = await engine.call('draft.addFile', {
      ...{ draftId, upload: 'plan', place: 0, isLast: true, filename: 'plan.txt', contentType: 'text/plain' },
      ...{ base64: Buffer.from('Tuesday.').toString('base64'), isInline: false },
    })
    const files = file === null ? [] : [file]
    await engine.call('draft.save', { draftId, revision: 0, content: { ...started.content, files } })
    const draft = await engine.call('draft.open', { draftId })
    expect(draft.content.files).toHaveLength(1)

    const made = await engine.call('backup.now', { folder })
    expect(readdirSync(folder)).toEqual([basename(made.directory)])
    const everything = readdirSync(made.directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'))
    expect(everything.filter((content) => content.includes(platform.apiKey))).toEqual([])
    expect(everything).toHaveLength(made.files + 1)

    const restored = await restoreElsewhere(made.directory)
    expect(restored).toMatchObject({
      id: basename(engine.directory),
      baseUrl: platform.baseUrl,
      unsent: 1,
      setAside: null,
    })
    const other = await openRestored(restored.id, platform)
    expect(await threadsOf(other, inboxId)).toEqual(before)
    expect((await other.status()).pendingChanges).toBe(1)
    expect(await other.call('problem.list', {})).toEqual([])
    expect(await other.call('draft.open', { draftId })).toEqual(draft)
    const piece = await other.call('draft.readFile', { draftId, fileId: file?.id ?? '', place: 0 })
    expect(Buffer.from(piece ?? '', 'base64').toString()).toBe('Tuesday.')
    expect(await other.call('savedSearch.list', {})).toMatchObject([{ name: 'Files', text: 'has:attachment' }])
    expect(await other.call('rule.list', {})).toMatchObject([rule])
    expect(await other.call('rule.log', { id: rule.id, before: null, limit: 5 })).toMatchObject([
      { ruleName: 'No plans', threads: log[0]?.threads },
    ])
    expect(await other.call('rule.run', { id: rule.id })).toEqual({ changeId: null, threads: 0 })
    const attachment = await other.link.attachment('test', of, attachmentId)
    expect(attachment.ok && Buffer.from(attachment.data.content).equals(Buffer.alloc(300_000, 7))).toBe(true)
  })

  it('is complete while mail changes, and blocks nothing', async () => {
    const { platform, engine } = await openSynced({ dataset: 'demo' })
    const { inboxId } = platform
    const items = await listCached(engine, inboxId, 'inbox')
    const load = { isOver: false }
    let changes = 0
    const loaded = (async () => {
      while (!load.isOver) {
        const thread = items[changes % items.length]
        changes += 1
        await engine.call('thread.change', {
          inboxId,
          threadIds: [thread?.id ?? ''],
          change: { read: changes % 2 === 0 },
        })
        if (changes % 20 === 0) await platform.deliver({ subject: `Meanwhile ${changes}` })
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    })()
    for (let round = 0; round < 3; round += 1) {
      const made = await engine.call('backup.now', { folder })
      const id = basename(engine.directory)
      rmSync(join(elsewhere, 'accounts'), { recursive: true, force: true })
      await restoreElsewhere(made.directory)
      const other = await openRestored(id, { ...platform, baseUrl: 'http://127.0.0.1:9' })
      expect(await other.call('problem.list', {})).toEqual([])
      const there = await threadsOf(other, inboxId)
      expect(there[0]?.total).toBeGreaterThanOrEqual(items.length)
      expect(
        (
          await other.call('thread.list', {
            query: { ...createFolderQuery(inboxId, 'inbox'), read: true },
            offset: 0,
            limit: 1,
            localOnly: true,
          })
        ).total,
      ).toBeGreaterThan(0)
      await other.close()
    }
    load.isOver = true
    await loaded
    expect(changes).toBeGreaterThan(3)
    expect(await engine.call('problem.list', {})).toEqual([])
  })

  it('shares unchanged files, and replaces old backups only when complete', async () => {
    const platform = await startTestPlatform()
    const engine = await openTestEngine(platform)
    await platform.deliver({ subject: 'File', attachments: [{ filename: 'a.bin', content: Buffer.alloc(50_000, 3) }] })
    await engine.call('sync.now', {})
    const found = await eventually(
      () => engine.call('receivedEmail.list', { offset: 0, limit: 1 }),
      ({ items }) => items.length === 1,
    )
    const of = { list: 'received', emailId: found.items[0]?.id ?? '' } as const
    await engine.link.original('test', of)
    await engine.call('backup.setSchedule', { schedule: 'off', keep: 3, folder })
    const made: string[] = []
    for (let round = 0; round < 5; round += 1) made.push((await engine.call('backup.now', {})).directory)
    expect(readdirSync(folder).toSorted()).toEqual(
      made
        .slice(-3)
        .map((each) => basename(each))
        .toSorted(),
    )
    const { files } = await openBackup(made[4] ?? '')
    const content = files.find(({ path }) => path.startsWith('blobs/'))
    expect(content).toBeDefined()
    expect(statSync(join(made[4] ?? '', content?.path ?? '')).nlink).toBeGreaterThan(1)
    expect(await engine.call('backup.state', {})).toMatchObject({
      running: null,
      keep: 3,
      last: { directory: made[4] },
    })

    writeFileSync(join(made[4] ?? '', content?.path ?? ''), 'something else')
    const next = await engine.call('backup.now', {})
    await restoreElsewhere(next.directory)
  })

  it('leaves nothing that looks complete when it fails', async () => {
    const { engine } = await openSynced({ dataset: 'demo' })
    const first = await engine.call('backup.now', { folder })
    const asked = engine.problemOf('backup.now', { folder })
    await eventually(
      () => engine.call('backup.state', {}),
      ({ running }) => running !== null,
    )
    await engine.call('backup.cancel', {})
    expect((await asked).code).toBe('cancelled')
    expect(readdirSync(folder)).toEqual([basename(first.directory)])

    // Simulates a killed process.
    const part = `${first.directory.slice(0, -3)}99.part`
    mkdirSync(part)
    writeFileSync(join(part, 'cache.sqlite'), 'half of it')
    expect(await messageOf(openBackup(part))).toContain('is an unfinished backup')
    await engine.call('backup.now', { folder })
    expect(existsSync(part)).toBe(false)

    rmSync(folder, { recursive: true })
    const gone = await engine.problemOf('backup.now', { folder })
    expect(gone.code).toBe('invalid_input')
    expect(gone.message).toContain('There is no folder')
    expect((await engine.problemOf('backup.now', { folder: 'relative' })).message).toContain('full path')
    expect((await engine.problemOf('backup.now', { folder: engine.directory })).message).toContain('inside')
    for (const code of ['SQLITE_FULL', 'ENOSPC']) {
      const thrown = Object.assign(new Error('full'), { code })
      expect(toBackupProblem(thrown, '/x').message).toContain('Not enough space')
    }
  })

  it('runs at the next start if missed, and reports failures until one succeeds', async () => {
    const platform = await startTestPlatform()
    const first = await openTestEngine(platform)
    await first.call('backup.setSchedule', { schedule: 'daily', keep: 7, folder })
    const { last } = await eventually(
      () => first.call('backup.state', {}),
      (state) => state.last !== null && state.running === null,
    )
    expect(existsSync(last?.directory ?? '')).toBe(true)
    expect(readdirSync(folder)).toHaveLength(1)
    await first.call('backup.setSchedule', { schedule: 'weekly', keep: 7, folder })
    expect(await first.call('problem.list', {})).toEqual([])

    const second = await openTestEngine(platform)
    const gone = temporaryDirectory()
    await second.call('backup.setSchedule', { schedule: 'daily', keep: 7, folder: gone })
    // Simulates a disk that is unplugged before the backup starts.
    rmSync(gone, { recursive: true })
    const problems = await eventually(
      () => second.call('problem.list', {}),
      (list) => list.length > 0,
    )
    expect(problems).toMatchObject([{ id: 'backup-failed', code: 'storage_failed' }])
    expect(problems[0]?.message).toContain('is missing')
    mkdirSync(gone)
    await second.call('backup.now', {})
    expect(await second.call('problem.list', {})).toEqual([])
  })
})

describe('restoring a backup', () => {
  it('rejects unknown files and grants assistants no access', async () => {
    const platform = await startTestPlatform()
    const engine = await openSettledEngine(platform)
    const folders = [{ inboxId: platform.inboxId, folder: 'inbox' as const }]
    await engine.call('assistant.setAccess', { folders, lists: ['contacts'] })
    const { directory } = await engine.call('backup.now', { folder })
    const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
    const file = join(directory, 'backup.json')
    const { backup } = JSON.parse(readFileSync(file, 'utf8')) as { backup: BackupManifest }
    const manifest = readFileSync(file)
    for (const path of ['own.sqlite', 'Own-backup.sqlite', 'own-snapshot.sqlite', 'drafts/../own.sqlite', 'x']) {
      const content = readFileSync(join(engine.directory, 'own.sqlite'))
      writeFileSync(join(directory, 'own.sqlite'), content)
      const files = [...backup.files, { path, bytes: content.length, sha256: sha256(content) }]
      writeFileSync(file, serializeManifest({ ...backup, files }, sha256))
      expect(await messageOf(restoreElsewhere(directory))).toContain('lists unexpected files')
    }
    expect(existsSync(join(elsewhere, 'accounts'))).toBe(false)
    writeFileSync(file, manifest)
    const copy = new Database(join(directory, 'own-backup.sqlite'))
    for (const table of ['access', 'calls', 'proposals']) {
      expect(copy.prepare(`SELECT count(*) FROM assistant_${table}`).pluck().get()).toBe(0)
    }
    copy.close()
    const { id } = await restoreElsewhere(directory)
    const other = await openRestored(id, platform)
    expect(await other.call('assistant.access', {})).toEqual({ folders: [], lists: [] })
  })

  it('rejects damaged files by name, and never replaces an account', async () => {
    const platform = await startTestPlatform()
    const engine = await openSettledEngine(platform)
    const { directory } = await engine.call('backup.now', { folder })
    const cache = join(directory, 'cache.sqlite')
    const sound = readFileSync(cache)
    const manifest = readFileSync(join(directory, 'backup.json'), 'utf8')

    const broken = Buffer.from(sound)
    broken[5_000] = (broken[5_000] ?? 0) ^ 1
    writeFileSync(cache, broken)
    expect(await messageOf(restoreElsewhere(directory))).toContain('cache.sqlite does not match its checksum')
    rmSync(cache)
    expect(await messageOf(restoreElsewhere(directory))).toContain('cache.sqlite is missing')
    writeFileSync(cache, sound)
    truncateSync(join(directory, 'backup.json'), 100)
    expect(await messageOf(restoreElsewhere(directory))).toContain('backup.json does not match its checksum')
    writeFileSync(join(directory, 'backup.json'), manifest.replace('"version":1', '"version":2'))
    expect(await messageOf(restoreElsewhere(directory))).toContain('newer version of Linnet')
    const astray = JSON.stringify({ ...(JSON.parse(manifest) as object), backup: { files: [{ path: '../../x' }] } })
    writeFileSync(join(directory, 'backup.json'), astray)
    expect(await messageOf(restoreElsewhere(directory))).toContain('does not match its checksum')
    expect(await messageOf(restoreElsewhere(temporaryDirectory()))).toContain('There is no backup')
    expect(existsSync(join(elsewhere, 'accounts'))).toBe(false)
    expect(existsSync(join(elsewhere, 'restoring'))).toBe(false)

    writeFileSync(join(directory, 'backup.json'), manifest)
    const { settings } = freshSettings()
    const { id } = await restoreBackup(directory, elsewhere, settings, { canReplace: false })
    expect(settings.find(id)).toMatchObject({ kind: 'platform', baseUrl: platform.baseUrl, sealedKey: null })
    writeFileSync(join(elsewhere, 'accounts', id, 'mine'), 'not to be lost')
    expect(await messageOf(restoreBackup(directory, elsewhere, settings, { canReplace: false }))).toContain(
      'is already on this computer',
    )
    expect(existsSync(join(elsewhere, 'accounts', id, 'mine'))).toBe(true)
    const replaced = await restoreBackup(directory, elsewhere, settings, { canReplace: true })
    expect(readFileSync(join(replaced.setAside ?? '', 'mine'), 'utf8')).toBe('not to be lost')
    expect(existsSync(join(elsewhere, 'accounts', id, 'mine'))).toBe(false)
  })

  it('gives an account’s key to no other server', async () => {
    const platform = await startTestPlatform()
    const engine = await openSettledEngine(platform)
    const { directory } = await engine.call('backup.now', { folder })
    const { settings } = freshSettings()
    const { id } = await restoreBackup(directory, elsewhere, settings, { canReplace: false })
    const record = settings.find(id)
    if (record?.kind !== 'platform') throw new Error('no account')
    const keyed = { ...record, keyDigest: 'digest', sealedKey: 'sealed' }
    settings.keep(keyed)
    await restoreBackup(directory, elsewhere, settings, { canReplace: true })
    expect(settings.find(id)).toMatchObject({ baseUrl: platform.baseUrl, keyDigest: 'digest', sealedKey: 'sealed' })
    settings.keep({ ...keyed, baseUrl: 'https://elsewhere.example' })
    await restoreBackup(directory, elsewhere, settings, { canReplace: true })
    expect(settings.find(id)).toMatchObject({ baseUrl: platform.baseUrl, keyDigest: null, sealedKey: null })
  })
})
