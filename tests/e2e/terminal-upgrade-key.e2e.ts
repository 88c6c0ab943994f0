/** A terminal from before packages were signed: a person in front of it confirms whose packages it accepts, and then it is upgraded. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PACKAGE_KEY } from '@gatehouse/dev-env/packages'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { installPackage } from '../../apps/terminal/src/upgrade/install.ts'
import { KEY_FILE, trustedKeys, upgradeKeysOf } from '../../apps/terminal/src/upgrade/trust.ts'
import { expectAccessible } from '../support/console.ts'
import { sharedBrowser } from '../support/stage.ts'
import { clientOf, installation, WORKS } from '../support/terminal-installation.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

test('the first key is chosen at the terminal’s own console, with the password; from then on packages signed by it are taken', async () => {
  const { root } = await installation()
  rmSync(join(root, KEY_FILE))
  const sentences: string[] = []
  const restarted = Promise.withResolvers<void>()
  const terminal = await world.terminal(undefined, {
    log: (sentence) => void sentences.push(sentence),
    onRestart: restarted.resolve,
    installPackage: (file) => installPackage(file, root, () => {}),
    upgradeKeys: upgradeKeysOf(root),
  })
  const password = /password "(\w+)"/.exec(sentences.findLast((sentence) => sentence.includes('/console/')) ?? '')![1]!
  const browser = await sharedBrowser()
  const page = await (await browser.newContext({ locale: 'en' })).newPage()
  await page.goto(`${terminal.url}console/device`)
  await page.getByLabel('Account').fill('admin')
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByText('No people are registered here yet.', { exact: false }).waitFor()
  await page.getByRole('link', { name: 'Device', exact: true }).click()
  await page.getByText('This terminal has no key yet', { exact: false }).waitFor()
  await expectAccessible(page)

  const choose = async (content: string): Promise<void> => {
    await page.locator('#upgrade-key').setInputFiles({ name: 'key.pem', mimeType: 'text/plain', buffer: Buffer.from(content) })
    await page.getByRole('button', { name: 'Trust this key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Trust this key' })
    await dialog.getByLabel('Password').fill(password)
    await dialog.getByRole('button', { name: 'Trust this key' }).click()
  }
  await choose('no key')
  await page.getByRole('dialog').getByText('This is no Ed25519 public key in PEM.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect(() => trustedKeys(root)).toThrow('has no')
  await choose(PACKAGE_KEY)
  const shown = await page.getByText('Packages signed by this key are accepted').innerText()
  expect(shown).toContain(upgradeKeysOf(root).fingerprints()[0])
  await expectAccessible(page)

  await page.locator('#package').setInputFiles({ name: 'terminal-8.tar', mimeType: 'application/x-tar', buffer: clientOf('8', WORKS('8')) })
  await page.getByRole('button', { name: 'Upgrade', exact: true }).click()
  await page.getByText('Upgrading. Do not switch the device off.').waitFor()
  await restarted.promise
})
