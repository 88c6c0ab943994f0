/** The page of a capture camera in a real browser: how it does, and where it looks. */
import { ffmpegMissing } from '@gatehouse/dev-env/rtsp-films'
import { startRtspSimulator } from '@gatehouse/dev-env/rtsp-simulator'
import { paint, paintedPool } from '@gatehouse/terminal/capture/testing/painted'
import { DEVICE } from '@gatehouse/terminal/device/testing/objects'
import { startTestServer } from '@gatehouse/terminal/device/testing/server'
import { startCaptureCamera, type CaptureCameraOptions } from '@gatehouse/terminal/capture/camera'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { expectAccessible } from '../support/console.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { sharedBrowser } from '../support/stage.ts'

async function startCamera(options: Pick<CaptureCameraOptions, 'camera'> = {}) {
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
    ...options,
  })
  onTestFinished(camera.stop)
  return { camera, sentences }
}

async function openPage(): Promise<{ page: Page; errors: string[] }> {
  const context = await (await sharedBrowser()).newContext({ locale: 'en', viewport: { width: 1280, height: 800 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  return { page, errors }
}

test('shows how the camera does, and an area drawn there holds at once, in the language that is chosen', async () => {
  const { camera, sentences } = await startCamera()
  const post = async () => {
    const body = await paint([
      { who: 'red', x: 160, y: 180 },
      { who: 'blue', x: 500, y: 180 },
    ])
    return (await (await fetch(`${camera.url}pictures`, { method: 'POST', body })).json()) as { captures: number }
  }
  expect(await post()).toMatchObject({ captures: 2 })

  const { page, errors } = await openPage()
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

test('the camera of the browser goes on while the program does not answer', async () => {
  const { camera } = await startCamera()
  const { page, errors } = await openPage()
  await page.addInitScript(`navigator.mediaDevices.getUserMedia = async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 })
    let pictures = 0
    setInterval(() => {
      canvas.getContext('2d').fillStyle = pictures++ % 2 ? '#777777' : '#888888'
      canvas.getContext('2d').fillRect(0, 0, 640, 360)
    }, 50)
    return canvas.captureStream()
  }`)
  await page.goto(camera.url)
  await page.getByRole('button', { name: 'Use the camera of this browser' }).click()
  await page.getByRole('button', { name: 'Stop the camera' }).waitFor()
  await expect.poll(() => camera.state().stream.picturesPerSecond).toBeGreaterThan(0)
  await page.route('**/state', (route) => route.abort())
  await page.getByText('The camera does not answer.').waitFor()
  await page.unroute('**/state')
  await page.getByText('The camera does not answer.').waitFor({ state: 'hidden' })
  expect(await page.getByRole('button', { name: 'Stop the camera' }).count()).toBe(1)
  await page.waitForRequest('**/pictures?stream=1')
  await expect.poll(() => camera.state().stream.picturesPerSecond).toBeGreaterThan(0)
  expect(errors).toEqual([])
})

test('the picture of a camera of the network is asked for again when that failed', async () => {
  const { camera } = await startCamera()
  const { page, errors } = await openPage()
  const picture = Buffer.from(await paint([{ who: 'red', x: 160, y: 180 }]))
  let asked = 0
  await page.route('**/state', (route) =>
    route.fulfill({ json: { ...camera.state(), camera: { state: 'live', since: 1_790_000_000_000 } } }),
  )
  await page.route('**/camera?*', (route) => (++asked === 1 ? route.abort() : route.fulfill({ body: picture, contentType: 'image/png' })))
  await page.goto(camera.url)
  const image = page.getByRole('img', { name: 'Live picture of the camera' })
  await image.waitFor()
  await expect.poll(() => page.evaluate("document.querySelector('.picture img').naturalWidth")).toBe(640)
  expect(asked).toBe(2)
  expect(errors).toEqual([])
})

test.skipIf(ffmpegMissing !== null)('the page says in words why a camera of the network is not live', async () => {
  const simulator = await startRtspSimulator()
  onTestFinished(simulator.stop)
  const { page } = await openPage()
  const says = async (camera: string, sentence: string) => {
    await page.goto((await startCamera({ camera })).camera.url)
    await page.getByText(sentence).waitFor()
  }
  await says(simulator.url('gate'), 'The camera has no stream of this name. Check the path in --camera.')
  await says(
    simulator.url('gate').replace('viewer:', 'somebody:'),
    'The camera refuses the account or the password. Check the user name and the password in --camera.',
  )
  await says(
    'rtsp://127.0.0.9:9/gate',
    'No camera answers at this port. Check the port in --camera, and whether the camera is switched on.',
  )
  await expectAccessible(page)
})
