/** The page of a capture camera in a real browser: how it does, and where it looks. */
import { paint, paintedPool } from '@gatehouse/terminal/capture/testing/painted'
import { DEVICE } from '@gatehouse/terminal/device/testing/objects'
import { startTestServer } from '@gatehouse/terminal/device/testing/server'
import { startCaptureCamera } from '@gatehouse/terminal/capture/camera'
import { expect, onTestFinished, test } from 'vitest'
import { expectAccessible } from '../support/console.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { sharedBrowser } from '../support/stage.ts'

test('shows how the camera does, and an area drawn there holds at once, in the language that is chosen', async () => {
  const server = await startTestServer()
  onTestFinished(server.stop)
  const sentences: string[] = []
  const camera = await startCaptureCamera({
    server: server.url,
    code: DEVICE.code,
    secret: DEVICE.secret,
    dataDir: scratchFolder(),
    port: 0,
    pool: paintedPool(),
    version: 'test',
    log: (sentence) => void sentences.push(sentence),
  })
  onTestFinished(camera.stop)
  const post = async () => {
    const body = await paint([
      { who: 'red', x: 160, y: 180 },
      { who: 'blue', x: 500, y: 180 },
    ])
    return (await (await fetch(`${camera.url}pictures`, { method: 'POST', body })).json()) as { captures: number }
  }
  expect(await post()).toMatchObject({ captures: 2 })

  const context = await (await sharedBrowser()).newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(camera.url)
  await page.getByRole('heading', { name: DEVICE.name }).waitFor()
  await page.getByText(/^2, the last at /).waitFor()
  await page.getByLabel('Account').fill('admin')
  await page.getByLabel('Password').fill(/password "(\w+)"/.exec(sentences.join('\n'))![1]!)
  await page.getByRole('button', { name: 'Log in' }).click()

  await page.getByRole('button', { name: 'Add a mask' }).click()
  await page.locator('svg.drawing').waitFor()
  const { x, y, width, height } = (await page.locator('.picture').boundingBox())!
  for (const [across, down] of [
    [0.02, 0.02],
    [0.5, 0.02],
    [0.5, 0.98],
    [0.02, 0.98],
  ] as const)
    await page.mouse.click(x + across * width, y + down * height)
  await page.getByRole('button', { name: 'Finish' }).click()
  await page.getByText('Masks: 1').waitFor()
  expect(await page.locator('polygon.mask').count()).toBe(1)
  await expectAccessible(page)
  expect(await post()).toMatchObject({ captures: 1 })

  await page.getByLabel('Language').selectOption('zh-CN')
  await page.getByText('屏蔽区域：1 个').waitFor()
  await page.getByRole('button', { name: '全部删除' }).click()
  await page.getByText('屏蔽区域：0 个').waitFor()
  expect(await post()).toMatchObject({ captures: 2 })
  await page.reload()
  await page.getByText('屏蔽区域：0 个').waitFor()
  expect(errors).toEqual([])
})
