/** Cutting off the body of a slow request. */
import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { createMinimumRate } from './minimum-rate.ts'
import { BodyTooSlow } from './refusal.ts'

const BUFFER = 65_536

/** A watched body, by the second. */
function watched({ isRead = true, headers = { 'content-length': '1000000' } as Record<string, string> } = {}) {
  let tick = (): void => {}
  const rate = createMinimumRate((listener) => {
    tick = listener
    return () => {}
  })
  const socket = { bytesRead: 500, destroyed: false, destroy: () => (socket.destroyed = true) }
  const request = Object.assign(new EventEmitter(), {
    headers,
    socket,
    complete: false,
    readableLength: 0,
    readableHighWaterMark: BUFFER,
    readableDidRead: false,
  })
  const errors: unknown[] = []
  if (isRead) request.on('error', (error) => errors.push(error))
  rate.watch(request as unknown as IncomingMessage)
  /** Let a number of bytes arrive in each second. Return the second at which the body was given up. */
  function pass(seconds: number, bytes = 0): number | null {
    for (let second = 1; second <= seconds; second++) {
      socket.bytesRead += bytes
      tick()
      if (errors.length > 0 || socket.destroyed) return second
    }
    return null
  }
  return { request, socket, errors, pass }
}

test('a body that does not begin has five seconds', () => {
  const { pass, errors } = watched()
  expect(pass(20)).toBe(6)
  expect(errors[0]).toBeInstanceOf(BodyTooSlow)
})

test('a body that has begun may pause for ten seconds, and no longer for having been fast', () => {
  for (const bytes of [1, 500_000]) {
    const { pass } = watched()
    pass(1, bytes)
    expect(pass(20)).toBe(10)
  }
})

test('sixteen kilobytes a second are enough for as long as it takes, in one piece or in bursts', () => {
  expect(watched().pass(600, 16_000)).toBeNull()
  const bursts = watched()
  for (let burst = 0; burst < 60; burst++) {
    expect(bursts.pass(1, 128_000)).toBeNull()
    expect(bursts.pass(7)).toBeNull()
  }
})

test('less is given up the sooner the less it is', () => {
  expect(watched().pass(600, 15_000)).toBe(146)
  expect(watched().pass(600, 8_000)).toBe(20)
  expect(watched().pass(600, 100)).toBe(11)
})

test('bytes that came with the head of the request are a beginning', () => {
  const buffered = watched()
  buffered.request.readableLength = 100
  expect(buffered.pass(20)).toBe(11)
  const read = watched()
  read.request.readableDidRead = true
  expect(read.pass(20)).toBe(11)
})

test('time in which the server does not read is not counted', () => {
  const { request, pass } = watched()
  pass(1, BUFFER)
  request.readableLength = BUFFER
  expect(pass(1000)).toBeNull()
  request.readableLength = 0
  expect(pass(20)).toBe(10)
})

test('what has arrived, is gone or has no body is not watched', () => {
  const complete = watched()
  complete.request.complete = true
  expect(complete.pass(20)).toBeNull()
  expect(watched({ headers: {} }).pass(20)).toBeNull()
  expect(watched({ headers: { 'content-length': '0' } }).pass(20)).toBeNull()
  expect(watched({ headers: { 'transfer-encoding': 'chunked' } }).pass(20)).toBe(6)
})

test('the connection is closed at once where nobody reads the body, else when the answer has not closed it', () => {
  const { pass, socket } = watched({ isRead: false })
  expect(pass(20)).toBe(6)
  expect(socket.destroyed).toBe(true)
  const answered = watched()
  answered.pass(6)
  expect(answered.socket.destroyed).toBe(false)
  for (let second = 0; second < 6; second++) answered.pass(1, 100_000)
  expect(answered.socket.destroyed).toBe(true)
  expect(answered.errors).toHaveLength(1)
})
