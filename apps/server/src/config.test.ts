/** Settings of how the server is reached: their values, and the sentence for each invalid one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

const FILES = { TLS_CERT_FILE: '/tls/server.crt', TLS_KEY_FILE: '/tls/server.key' }

describe('TLS', () => {
  test('is off unless it is asked for', () => {
    expect([readConfig({}).tls, readConfig({ TLS: 'off' }).tls, readConfig({ TLS: '' }).tls]).toEqual([null, null, null])
  })

  test('with a certificate of its own, for further names and addresses too', () => {
    expect(readConfig({ TLS: 'self' }).tls).toEqual({ kind: 'self', names: [] })
    // Names of this machine are allowed with any TLS.
    expect(readConfig({ TLS_NAMES: '[fd00::5],*.example' }).tls).toBeNull()
    expect(readConfig({ TLS: 'self', TLS_NAMES: ' Gate.Example, 10.0.0.5,,fd00::1 ' }).tls).toEqual({
      kind: 'self',
      names: ['gate.example', '10.0.0.5', 'fd00::1'],
    })
  })

  test('with the files of somebody else', () => {
    expect(readConfig({ TLS: 'files', ...FILES }).tls).toEqual({
      kind: 'files',
      certificateFile: '/tls/server.crt',
      keyFile: '/tls/server.key',
    })
  })

  test.each([
    [{ TLS: 'on' }, 'TLS must be off, self or files, not "on"'],
    [{ TLS: 'files' }, 'TLS=files needs both TLS_CERT_FILE and TLS_KEY_FILE'],
    [{ TLS: 'files', TLS_CERT_FILE: '/tls/server.crt' }, 'TLS=files needs both TLS_CERT_FILE and TLS_KEY_FILE'],
    [{ TLS: 'files', TLS_KEY_FILE: '/tls/server.key' }, 'TLS=files needs both TLS_CERT_FILE and TLS_KEY_FILE'],
    [FILES, 'TLS_CERT_FILE and TLS_KEY_FILE need TLS=files'],
    [{ TLS: 'self', TLS_KEY_FILE: '/tls/server.key' }, 'TLS_CERT_FILE and TLS_KEY_FILE need TLS=files'],
    [
      { TLS: 'self', TLS_NAMES: 'gate.example,https://gate.example' },
      'TLS_NAMES must be names and addresses this machine is reached at, not "https://gate.example"',
    ],
    [{ TLS: 'self', TLS_NAMES: '*.example' }, 'TLS_NAMES must be names and addresses this machine is reached at, not "*.example"'],
  ])('%o is refused', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence)
  })
})

describe('TRUST_PROXY', () => {
  const trusted = (value?: string) => {
    const { trustProxy, trustProxyGiven } = readConfig({ TRUST_PROXY: value })
    return { trustProxy, trustProxyGiven }
  }

  test('is this machine unless it is set', () => {
    expect(trusted()).toEqual({ trustProxy: ['loopback'], trustProxyGiven: false })
    expect(trusted('')).toEqual({ trustProxy: ['loopback'], trustProxyGiven: false })
  })

  test('takes addresses, networks and names of networks', () => {
    expect(trusted('loopback')).toEqual({ trustProxy: ['loopback'], trustProxyGiven: true })
    expect(trusted('off')).toEqual({ trustProxy: [], trustProxyGiven: true })
    expect(trusted('10.0.0.5, 172.16.0.0/12,fd00::/8, uniquelocal').trustProxy).toEqual([
      '10.0.0.5',
      '172.16.0.0/12',
      'fd00::/8',
      'uniquelocal',
    ])
  })

  test.each(['on', 'true', '1', 'proxy.example', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', 'fd00::/129', '10.0.0.5,off'])(
    '%s is refused',
    (value) => {
      expect(() => readConfig({ TRUST_PROXY: value })).toThrow(
        'TRUST_PROXY must be off, or addresses and networks such as 10.0.0.5 or 172.16.0.0/12, ' +
          'or one of loopback, linklocal, uniquelocal, not "',
      )
    },
  )

  test('never comes to everybody', () => {
    for (const value of ['0.0.0.0/0', '::/0', '10.0.0.5, 0.0.0.0/0'])
      expect(() => readConfig({ TRUST_PROXY: value }), value).toThrow('TRUST_PROXY')
  })
})

test('PROXY_CERT_FILE names one file or several', () => {
  expect(readConfig({}).proxyCertificateFiles).toEqual([])
  expect(readConfig({ PROXY_CERT_FILE: '/tls/one.crt' }).proxyCertificateFiles).toEqual(['/tls/one.crt'])
  expect(readConfig({ PROXY_CERT_FILE: '/tls/one.crt, /tls/two.crt' }).proxyCertificateFiles).toEqual(['/tls/one.crt', '/tls/two.crt'])
})

describe('MQTT over TLS', () => {
  test('has its own port and, where it is told, its own certificate', () => {
    expect(readConfig({})).toMatchObject({ mqttTls: null, mqttTlsPort: 8883, mqttPort: 1883, mqttPortGiven: false })
    expect(readConfig({ MQTT_TLS_PORT: '8884', MQTT_PORT: '1884' })).toMatchObject({
      mqttTlsPort: 8884,
      mqttPort: 1884,
      mqttPortGiven: true,
    })
    expect(readConfig({ MQTT_CERT_FILE: '/tls/broker.crt', MQTT_KEY_FILE: '/tls/broker.key' }).mqttTls).toEqual({
      certificateFile: '/tls/broker.crt',
      keyFile: '/tls/broker.key',
      clientAuthority: null,
    })
  })

  test('reads the authority of its clients at the start', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-config-'))
    try {
      const file = join(folder, 'devices.pem')
      writeFileSync(file, 'an authority')
      const env = { MQTT_CERT_FILE: '/tls/broker.crt', MQTT_KEY_FILE: '/tls/broker.key' }
      expect(readConfig({ ...env, MQTT_CLIENT_CA_FILE: file }).mqttTls?.clientAuthority).toBe('an authority')
      const missing = join(folder, 'missing.pem')
      expect(() => readConfig({ ...env, MQTT_CLIENT_CA_FILE: missing })).toThrow(
        `MQTT_CLIENT_CA_FILE names ${missing}, which cannot be read`,
      )
      expect(() => readConfig({ MQTT_CLIENT_CA_FILE: file })).toThrow('MQTT over TLS needs both MQTT_CERT_FILE and MQTT_KEY_FILE')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test.each([
    [{ MQTT_CERT_FILE: '/tls/broker.crt' }, 'MQTT over TLS needs both MQTT_CERT_FILE and MQTT_KEY_FILE'],
    [{ MQTT_KEY_FILE: '/tls/broker.key' }, 'MQTT over TLS needs both MQTT_CERT_FILE and MQTT_KEY_FILE'],
    [{ MQTT_TLS_PORT: '70000' }, 'MQTT_TLS_PORT must be a port number from 0 to 65535, not "70000"'],
    [{ MQTT_TLS_PORT: 'tls' }, 'MQTT_TLS_PORT must be a port number from 0 to 65535, not "tls"'],
  ])('%o is refused', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence)
  })
})

describe('SESSION_HOURS', () => {
  test('are twelve unless told, and at most a week', () => {
    expect([readConfig({}).sessionHours, readConfig({ SESSION_HOURS: '168' }).sessionHours]).toEqual([12, 168])
    for (const hours of ['0', '169', '1.5', 'long'])
      expect(() => readConfig({ SESSION_HOURS: hours })).toThrow(`SESSION_HOURS must be a number of hours from 1 to 168, not "${hours}"`)
  })
})
