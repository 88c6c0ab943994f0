import { createSocket } from 'node:dgram'
import { expect, onTestFinished, test } from 'vitest'
import { askTime, NoTime } from './sntp.ts'
import { startTimeServer } from './testing/time-server.ts'

async function timeServer() {
  const server = await startTimeServer()
  onTestFinished(() => server.stop())
  return server
}
const failureOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'none',
    (error: unknown) => (error instanceof NoTime ? error.failure : error),
  )

/** Milliseconds a busy machine may take for request and answer, and so the largest error of a measurement. */
const ROUND_TRIP = 1_000

test('says how far the clock of a time server is ahead', async () => {
  const server = await timeServer()
  for (const ahead of [0, 90_000, -7_200_000]) {
    server.ahead = ahead
    const { offset, delay } = await askTime('127.0.0.1', { port: server.port })
    expect(Math.abs(offset - ahead)).toBeLessThan(ROUND_TRIP)
    expect(delay).toBeLessThan(ROUND_TRIP)
  }
})

test('reads times of the era that begins in 2036', async () => {
  const server = await timeServer()
  server.ahead = Date.UTC(2040, 0, 1) - Date.now()
  const { offset } = await askTime('127.0.0.1', { port: server.port })
  expect(Math.abs(offset - server.ahead)).toBeLessThan(ROUND_TRIP)
})

test('passes over an answer to a question it never asked', async () => {
  const server = await timeServer()
  server.forges = true
  server.ahead = 60_000
  const { offset } = await askTime('127.0.0.1', { port: server.port })
  expect(Math.abs(offset - 60_000)).toBeLessThan(ROUND_TRIP)
})

test('names why there is no time: unknown, silent, closed, without a time of its own', async () => {
  const server = await timeServer()
  server.stratum = 0
  expect(await failureOf(askTime('127.0.0.1', { port: server.port }))).toBe('unusable')
  expect(await failureOf(askTime('no-such-host.invalid', { port: server.port }))).toBe('unknownHost')
  const silent = createSocket('udp4')
  await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => void silent.close())
  expect(await failureOf(askTime('127.0.0.1', { port: silent.address().port, timeout: 50 }))).toBe('noAnswer')
  const closed = await startTimeServer()
  closed.stop()
  expect(await failureOf(askTime('127.0.0.1', { port: closed.port, timeout: 5_000 }))).toBe('refused')
})
