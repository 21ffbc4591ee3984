import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectAccessible } from './expect-accessible.ts'
import { expect, test } from './linnet.ts'

test.use({ platformSwitches: ['--threads', '16', '--rate-limit', 'off'] })

test('rebuilds a damaged cache and tells every window until acknowledged', async ({
  launch,
  platform,
  dataDirectory,
}) => {
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
  const start = async () => {
    const linnet = await launch({ dataDirectory, env })
    await linnet.page.getByRole('listbox', { name: 'Threads' }).getByRole('option').nth(5).waitFor()
    return linnet
  }
  const first = await start()
  await expect(first.page.getByRole('list', { name: 'Problems' })).toHaveCount(0)
  await first.close()

  const [account = ''] = await readdir(join(dataDirectory, 'accounts'))
  await writeFile(join(dataDirectory, 'accounts', account, 'cache.sqlite'), 'a letter, and no database')

  const second = await start()
  const told = second.page.getByRole('list', { name: 'Problems' }).getByRole('listitem')
  await expect(told).toHaveText(/Linnet’s copy of your mail was damaged/)
  await expectAccessible(second.page, 'a standing problem')
  await second.page.reload()
  await expect(told).toHaveCount(1)
  await second.close()

  const third = await start()
  const button = third.page.getByRole('button', { name: 'Dismiss' })
  await button.focus()
  await third.page.keyboard.press('Enter')
  await expect(button).toHaveCount(0)
  await expect.poll(() => third.page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  await third.close()

  const fourth = await start()
  await expect(fourth.page.getByRole('list', { name: 'Problems' })).toHaveCount(0)
})
