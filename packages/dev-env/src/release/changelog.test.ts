import { describe, expect, test } from 'vitest'
import { isUnreleasedEmpty, withRelease } from './changelog.ts'

const HEAD = '# Changelog\n\nWhat changed.\n'
const OLD = '## [0.1.0] - 2026-11-23\n\n### Added\n\n- A door.\n'

test('what was unreleased stands under the version, and the next changes have a place', () => {
  const changelog = `${HEAD}\n## [Unreleased]\n\n### Fixed\n\n- The door closes.\n\n${OLD}`
  expect(withRelease(changelog, '0.2.0', '2026-12-01')).toBe(
    `${HEAD}\n## [Unreleased]\n\n## [0.2.0] - 2026-12-01\n\n### Fixed\n\n- The door closes.\n\n${OLD}`,
  )
})

test('the first release has no section after it', () => {
  expect(withRelease(`${HEAD}\n## [Unreleased]\n\n- A door.\n`, '0.1.0', '2026-11-23')).toBe(
    `${HEAD}\n## [Unreleased]\n\n## [0.1.0] - 2026-11-23\n\n- A door.\n`,
  )
})

describe('is unreleased', () => {
  test.each([
    ['nothing', '', true],
    ['headings alone', '### Added\n\n### Fixed\n', true],
    ['an entry', '### Added\n\n- A door.\n', false],
    ['a sentence', 'A door.\n', false],
  ])('%s', (_, content, empty) => {
    expect(isUnreleasedEmpty(`${HEAD}\n## [Unreleased]\n\n${content}\n${OLD}`)).toBe(empty)
    expect(isUnreleasedEmpty(`${HEAD}\n## [Unreleased]\n\n${content}`)).toBe(empty)
  })
})

test('a changelog without the section is a fault', () => {
  expect(() => isUnreleasedEmpty(HEAD + OLD)).toThrow('[Unreleased]')
})
