import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { billOf, findingsOf, openFindings, readAccepted } from './supply-chain.ts'

const advisory = (id: string, severity: string, name = 'left') => ({
  source: 1,
  name,
  title: `A weakness of ${name}`,
  url: `https://github.com/advisories/${id}`,
  severity,
})
const audit = (vulnerabilities: object): string => JSON.stringify({ auditReportVersion: 2, vulnerabilities })

describe('what the registry knows', () => {
  test('is each high or critical finding once, whichever packages it reaches', () => {
    const high = advisory('GHSA-aaaa-bbbb-cccc', 'high')
    const text = audit({
      left: { via: [high, advisory('GHSA-dddd-eeee-ffff', 'moderate')] },
      right: { via: ['left'] },
      both: { via: [high, advisory('GHSA-gggg-hhhh-iiii', 'critical', 'both')] },
    })
    expect(findingsOf(text)).toEqual([
      { id: 'GHSA-aaaa-bbbb-cccc', package: 'left', title: 'A weakness of left' },
      { id: 'GHSA-gggg-hhhh-iiii', package: 'both', title: 'A weakness of both' },
    ])
    expect(findingsOf(audit({}))).toEqual([])
  })

  test.each([
    ['a registry that does not answer it', '{"message":"405 Method Not Allowed","statusCode":405}'],
    ['no network', ''],
    ['a page of a proxy', '<html></html>'],
  ])('is unknown with %s', (_, text) => {
    expect(findingsOf(text)).toBeNull()
  })

  test('may be accepted, with a reason and for a time', () => {
    const findings = findingsOf(audit({ left: { via: [advisory('GHSA-aaaa-bbbb-cccc', 'high')] } }))!
    const list = readAccepted('[{"id":"GHSA-aaaa-bbbb-cccc","reason":"We never call it.","until":"2026-12-31"}]')
    expect(openFindings(findings, list, '2026-12-31')).toEqual([])
    expect(openFindings(findings, list, '2027-01-01')).toEqual(findings)
    expect(openFindings(findings, [], '2026-12-31')).toEqual(findings)
    expect(() => readAccepted('[{"id":"GHSA-aaaa-bbbb-cccc","until":"2026-12-31"}]')).toThrow('reason')
    expect(() => readAccepted('[{"id":"GHSA-aaaa-bbbb-cccc","reason":"","until":"2026-12-31"}]')).toThrow('reason')
  })

  test('the list of what is accepted can be read', () => {
    expect(() => readAccepted(readFileSync(join(import.meta.dirname, 'accepted-findings.json'), 'utf8'))).not.toThrow()
  })
})

test('a bill of materials names the version that is released, and is the same whoever writes it', () => {
  const written = (run: number) =>
    JSON.stringify({
      serialNumber: `urn:uuid:${run}`,
      metadata: {
        timestamp: `2026-11-0${run}`,
        component: { 'bom-ref': 'gatehouse@0.1.0', name: 'folder', version: '0.1.0', purl: 'pkg:npm/gatehouse@0.1.0' },
      },
      components: [
        { 'bom-ref': '@gatehouse/server@0.1.0', name: 'server', version: '0.1.0', purl: 'pkg:npm/%40gatehouse/server@0.1.0' },
        { 'bom-ref': 'fastify@5.1.0', name: 'fastify', version: '5.1.0', purl: 'pkg:npm/fastify@5.1.0' },
      ],
      dependencies: [{ ref: 'gatehouse@0.1.0', dependsOn: ['@gatehouse/server@0.1.0', 'fastify@5.1.0'] }],
    })
  expect(billOf(written(1), '0.2.0')).toBe(billOf(written(2), '0.2.0'))
  expect(JSON.parse(billOf(written(1), '0.2.0'))).toEqual({
    metadata: { component: { 'bom-ref': 'gatehouse@0.2.0', name: 'gatehouse', version: '0.2.0', purl: 'pkg:npm/gatehouse@0.2.0' } },
    components: [
      { 'bom-ref': '@gatehouse/server@0.2.0', name: 'server', version: '0.2.0', purl: 'pkg:npm/%40gatehouse/server@0.2.0' },
      { 'bom-ref': 'fastify@5.1.0', name: 'fastify', version: '5.1.0', purl: 'pkg:npm/fastify@5.1.0' },
    ],
    dependencies: [{ ref: 'gatehouse@0.2.0', dependsOn: ['@gatehouse/server@0.2.0', 'fastify@5.1.0'] }],
  })
})
