/** Persons whom the text means; where it asks for that, to be disabled or enabled. */
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { peopleCalls, type Person } from '@gatehouse/contract/people/calls'
import { personStatus } from '@gatehouse/contract/enums/people'
import { pathOfPerson, usePersonActions } from '../../features/people/index.ts'
import { modal } from '../../kit/feedback.tsx'
import { Portrait } from '../../kit/media/Portrait.tsx'
import { useRead } from '../../api/query.ts'
import { useMay, useMayCall } from '../../api/session.ts'
import { rankOf, SHOWN, type Found } from './found.ts'
import { objectOf } from './otherNames.ts'

/** @param keyword empty: nobody */
function useMeant(keyword: string): Person[] {
  const allowed = useMay('person.list')
  const people = useRead(peopleCalls.list, { query: { keyword, size: SHOWN } }, { enabled: allowed && keyword !== '' })
  return keyword === '' ? [] : (people.data?.content ?? [])
}

const moreOf = ({ workNumber, groupName }: Person): string => [workNumber, groupName].filter(Boolean).join(' · ')
const portraitOf = ({ name, faces }: Person) => <Portrait name={name} url={faces[0]?.thumbnail} size={32} />
/** Whoever was found by something that is not shown, such as the phone, was found all the same. */
const rankAmong = (typed: string, { name, workNumber, phone }: Person): number => rankOf(typed, [name, workNumber, phone]) || 1

export function usePeople(typed: string): Found[] {
  const navigate = useNavigate()
  return useMeant(typed).map((person) => ({
    key: person.id,
    label: person.name,
    more: moreOf(person),
    icon: portraitOf(person),
    rank: rankAmong(typed, person),
    run: () => void navigate(pathOfPerson(person.kind, person.id)),
  }))
}

export function usePersonVerbs(typed: string): Found[] {
  const { t } = useTranslation('shell')
  const mayChange = useMayCall(peopleCalls.status)
  const toDisable = objectOf('disable', typed)
  const object = toDisable ?? objectOf('enable', typed) ?? ''
  const verb = toDisable === undefined ? 'enable' : 'disable'
  const meant = useMeant(mayChange ? object : '')
  const { setStatus } = usePersonActions({ onRemoved: () => {} })
  // Whoever types and presses Enter may have meant another.
  const ask = ({ id, name }: Person): void =>
    modal.confirm({
      title: t(`palette.${verb}Title`, { name }),
      content: t(`palette.${verb}Words`),
      okText: t(verb === 'disable' ? 'palette.block' : 'people:enable'),
      okButtonProps: { danger: verb === 'disable' },
      cancelText: t('common:cancel'),
      onOk: () => setStatus([id], verb === 'disable' ? personStatus.disabled : personStatus.enabled),
    })
  return meant
    .filter(({ status }) => (status === personStatus.disabled) === (verb === 'enable'))
    .map((person) => ({
      key: `status ${person.id}`,
      label: t(`palette.${verb}`, { name: person.name }),
      more: moreOf(person),
      icon: portraitOf(person),
      rank: rankAmong(object, person),
      run: () => ask(person),
    }))
}
