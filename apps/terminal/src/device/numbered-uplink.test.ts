import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../store/store.ts'
import { startDevice } from './device.ts'
import type { NewItem } from './numbered.ts'
import { MODEL, scratchFolder, until } from './testing/folder.ts'
import { DEVICE } from './testing/objects.ts'
import { startTestServer, type TestServer } from './testing/server.ts'

const EVENT: NewItem<'event'> = { kind: 'tamper', occurredAt: 1_790_000_000_000, endOf: null }
const capture = (modelId: string): NewItem<'capture'> => ({
  enteredAt: 1,
  capturedAt: 2,
  leftAt: 3,
  quality: 1,
  faceWidth: 200,
  template: null,
  modelId,
})

async function serverForTest(): Promise<TestServer> {
  const server = await startTestServer()
  onTestFinished(() => server.stop())
  return server
}

function connect(server: TestServer) {
  const sentences: string[] = []
  const store = openStore({ folder: scratchFolder(), code: DEVICE.code, model: MODEL })
  const device = startDevice({
    server: server.url,
    code: DEVICE.code,
    secret: DEVICE.secret,
    store,
    modelId: MODEL.modelId,
    version: '1',
    log: (sentence) => void sentences.push(sentence),
    operateDoor: async () => ({ isSuccess: true, errorType: null }),
    retry: { first: 20, limit: 100 },
  })
  onTestFinished(async () => {
    await device.stop()
    store.close()
  })
  const online = () => until('it is online', device.isOnline)
  const reconnect = async () => {
    const asked = server.paired.length
    server.cut()
    await until('it paired again', () => server.paired.length > asked)
    await online()
  }
  return { device, store, sentences, online, reconnect }
}

const storedOf = (server: TestServer, epoch: string) => server.numbered.items.get(epoch)?.map(({ seq }) => seq) ?? []
const numbers = (length: number) => Array.from({ length }, (_, index) => index + 1)

test('what happens before and after the first connection arrives in order, each once, and pictures after it', async () => {
  const server = await serverForTest()
  const { device, store, online } = connect(server)
  const { epoch } = device.appendNumbered('event', EVENT, Buffer.from('a picture'))!
  for (let count = 0; count < 250; count++) device.appendNumbered('event', EVENT)
  await online()
  device.appendNumbered('event', { ...EVENT, endOf: 1 })
  await until('the server has all', () => storedOf(server, epoch).length === 252)
  expect(storedOf(server, epoch)).toEqual(numbers(252))
  expect(server.numbered.items.get(epoch)![0]).toMatchObject({ kind: 'tamper', hasPicture: true, endOf: null })
  expect(server.numbered.items.get(epoch)![251]).toMatchObject({ endOf: 1, hasPicture: false })
  await until('the picture has arrived', () => server.numbered.pictures.has(`${epoch}/1`))
  expect(server.numbered.messages[0], 'it asks first').toBe(0)
  await until('nothing waits', () => store.numbered.length('event') === 0)
})

test('captures of two models go in messages of their own', async () => {
  const server = await serverForTest()
  const { device, online } = connect(server)
  const { epoch } = device.appendNumbered('capture', capture('one'))!
  for (const model of ['one', 'two', 'one']) device.appendNumbered('capture', capture(model))
  await online()
  await until('the server has all', () => storedOf(server, epoch).length === 4)
  expect(server.numbered.models).toEqual(['one', 'two', 'one'])
})

test('an answer that is lost costs nothing and repeats nothing', async () => {
  const server = await serverForTest()
  const { device, store, online } = connect(server)
  await online()
  server.numbered.losesNextAnswer = true
  const { epoch } = device.appendNumbered('event', EVENT)!
  await until('the server has it', () => storedOf(server, epoch).length === 1)
  device.appendNumbered('event', EVENT)
  await until('nothing waits', () => store.numbered.length('event') === 0)
  expect(storedOf(server, epoch)).toEqual([1, 2])
})

test('a server that does not support the kind is asked with each connection, told of once in the log, and later sent all', async () => {
  const server = await serverForTest()
  server.numbered.isSupported = false
  const { device, store, sentences, online, reconnect } = connect(server)
  const { epoch } = device.appendNumbered('event', EVENT, Buffer.from('a picture'))!
  await online()
  const complaints = () => sentences.filter((sentence) => sentence.includes('does not support'))
  await until('it has asked', () => complaints().length === 1)
  const asked = server.asked.length
  await reconnect()
  await until('it has asked again', () => server.asked.slice(asked).some((each) => each.includes('/event')))
  server.numbered.isSupported = true
  await reconnect()
  await until('the server has it', () => server.numbered.pictures.has(`${epoch}/1`))
  expect(complaints()).toHaveLength(1)
  expect(store.numbered.length('event')).toBe(0)
})

test('a restored server is sent again what it lost, and one that has more is sent a new epoch', async () => {
  const server = await serverForTest()
  const { device, sentences, online, reconnect } = connect(server)
  await online()
  const { epoch } = device.appendNumbered('event', EVENT)!
  device.appendNumbered('event', EVENT, Buffer.from('a picture'))
  await until('the picture has arrived', () => server.numbered.pictures.has(`${epoch}/2`))
  server.numbered.items.get(epoch)!.length = 1
  server.numbered.pictures.clear()
  await reconnect()
  await until('the picture has arrived again', () => server.numbered.pictures.has(`${epoch}/2`))
  expect(storedOf(server, epoch)).toEqual([1, 2])
  server.numbered.claimed.set(epoch, 7)
  await reconnect()
  await until('it numbers anew', () => sentences.some((sentence) => sentence.includes('numbers anew')))
  const next = device.appendNumbered('event', EVENT)!
  expect(next).toMatchObject({ seq: 1 })
  expect(next.epoch).not.toBe(epoch)
  await until('the server has it', () => storedOf(server, next.epoch).length === 1)
})
