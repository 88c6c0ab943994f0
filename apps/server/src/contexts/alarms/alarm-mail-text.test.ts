import { expect, test } from 'vitest'
import { digestLetter, repeatedLetter, singleLetter, type LetterHead, type WrittenAlarm } from './alarm-mail-text.ts'

const head: LetterHead = { language: 'zh-CN', park: '滨江园区', zone: 'Asia/Shanghai', address: null }
const AT = Date.UTC(2026, 10, 30, 4, 5, 6)
const alarm: WrittenAlarm = {
  alarmId: '0193f0c0-0000-7000-8000-000000000000',
  kind: 'aiBox',
  occurredAt: AT,
  level: 3,
  event: 'fire',
  eventName: '',
  place: '北门',
  deviceName: '盒子\r\n一号',
  surveillanceName: '',
  personName: '',
}

test('a mail says in the park’s language and on its clock what happened, in lines that a name cannot break', () => {
  const { subject, text } = singleLetter(head, alarm)
  expect(subject).toBe('高级报警：明火，盒子 一号 / 北门')
  expect(text).toBe('报警：明火\n级别：高\n园区：滨江园区\n设备：盒子 一号\n摄像机：北门\n时间：2026年11月30日 12:05:06')
})

test('events are named by their kind: of devices by number, of boxes by their own words where they are not known', () => {
  const subjectOf = (values: Partial<WrittenAlarm>) =>
    singleLetter({ ...head, language: 'en' }, { ...alarm, place: '', deviceName: 'Door', ...values }).subject
  expect(subjectOf({ kind: 'deviceEvent', event: '2' })).toBe('High: Tampering – Door')
  expect(subjectOf({ event: 'bird', eventName: 'A bird' })).toBe('High: A bird – Door')
  expect(subjectOf({ kind: 'stranger', event: '' })).toBe('High: Stranger – Door')
})

test('a follow-up says how many repeats there were, and when', () => {
  const later = { ...alarm, occurredAt: AT + 60_000 }
  const { subject, text } = repeatedLetter(head, [later, alarm])
  expect(subject).toBe('重复报警（2 次）：明火，盒子 一号 / 北门')
  expect(text).toContain('首次重复：2026年11月30日 12:05:06\n最近重复：2026年11月30日 12:06:06')
})

test('a digest lists 200 lines, and counts what it does not list', () => {
  const parts = Array.from({ length: 250 }, () => ({ latest: { ...alarm, personName: '王芳' }, count: 2, firstAt: AT }))
  const { subject, text } = digestLetter({ ...head, address: 'https://gate.example.org' }, parts)
  expect(subject).toBe('更多报警（500 条）：滨江园区')
  expect(text.match(/2 次 · 高 · 明火，盒子 一号 \/ 北门 \(王芳\)\nhttps:\/\/gate\.example\.org\/#\/AIBoxAlarm\?time=\d+/g)).toHaveLength(
    200,
  )
  expect(text).toContain('另有 100 条报警未在此列出。')
})
