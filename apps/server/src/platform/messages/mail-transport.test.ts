/** Whether e-mails may leave unencrypted. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { startMailServer, type MailServer } from '../../../../../tests/support/mail-server.ts'
import { until } from '../../../../../tests/support/until.ts'
import { readConfig } from '../../config.ts'
import { mailTransport } from './mail-transport.ts'

describe('TLS is demanded', () => {
  test.each([
    ['smtp://user:p%40ss@mail.example.org:587', true],
    ['smtp://mail.example.org?tls=required', true],
    ['smtp://10.0.0.5:25', true],
    ['smtp://127.0.0.1:25?tls=required', true],
    ['smtp://127.0.0.1:25', false],
    ['smtp://localhost', false],
    ['smtp://mail.example.org?tls=off', false],
    // Encrypted from the first byte.
    ['smtps://mail.example.org:465', false],
  ])('%s: %s', (address, requireTLS) => {
    expect(mailTransport(address).requireTLS).toBe(requireTLS)
  })

  test('and the rest of the address stays as it is', () => {
    expect(mailTransport('smtp://user:p%40ss@mail.example.org:587?tls=off&pool=true').url).toBe(
      'smtp://user:p%40ss@mail.example.org:587?pool=true',
    )
  })
})

test.each([
  ['mail.example.org', 'SMTP_URL must be smtp://'],
  ['http://mail.example.org', 'SMTP_URL must be smtp://'],
  ['smtp://mail.example.org?tls=maybe', 'must be off or required'],
  ['smtps://mail.example.org?tls=off', 'must be off or required'],
])('%s ends the start with a sentence', (address, sentence) => {
  expect(() => readConfig({ SMTP_URL: address })).toThrow(sentence)
})

describe('by a mail server that offers no TLS, or whose offer somebody removed', () => {
  let server: MailServer
  let world: World
  beforeAll(async () => {
    server = await startMailServer()
    world = await startWorld({ config: { smtpUrl: `${server.url}?tls=required` } })
  })
  afterAll(async () => {
    await world?.stop()
    await server?.stop()
  })

  test('nothing is sent, and the message waits with the reason', async () => {
    const { messages } = world.server.platform
    const id = await world.server.platform.transaction((tx) =>
      messages.send(tx, {
        channel: 'email',
        to: 'anna@example.org',
        subject: 'A code',
        text: 'Your code is 482913.',
        userId: null,
      }),
    )
    await until('the attempt', async () => (await messages.read(id)).attempts === 1)
    expect(await messages.read(id)).toMatchObject({ state: 'waiting', reason: expect.stringMatching(/STARTTLS|TLS/i) })
    expect(server.received).toEqual([])
  })
})
