import { expect, test } from 'vitest'
import { collectExtensions, extend, extensionPoint, singlePoint } from './extension-points.ts'

const greetings = extensionPoint<() => string>('hall.greetings')
const doorkeeper = singlePoint<number>('hall.doorkeeper')

test('nothing can be asked for while areas are still being put together', () => {
  const extensions = collectExtensions()
  expect(() => extensions.all(greetings)).toThrow('hall.greetings is asked for while areas are still being put together')
  expect(() => extensions.one(doorkeeper)).toThrow('still being put together')
})

test('extensions of a point are all found in their order, and of other points none', () => {
  const extensions = collectExtensions()
  extensions.complete([extend(greetings, () => 'first'), extend(doorkeeper, 1), extend(greetings, () => 'second')])
  expect(extensions.all(greetings).map((greet) => greet())).toEqual(['first', 'second'])
  expect(extensions.all(doorkeeper)).toEqual([1])
  expect(extensions.all(extensionPoint<string>('hall.greetings'))).toEqual([])
})

test('a point that one area serves is served by just one', () => {
  const withSome = (...keepers: number[]) => {
    const extensions = collectExtensions()
    extensions.complete(keepers.map((keeper) => extend(doorkeeper, keeper)))
    return extensions
  }
  expect(withSome(7).one(doorkeeper)).toBe(7)
  expect(() => withSome().one(doorkeeper)).toThrow('hall.doorkeeper is served by 0 areas, not by one')
  expect(() => withSome(7, 8).one(doorkeeper)).toThrow('hall.doorkeeper is served by 2 areas, not by one')
})
