/** Whether a person is inside, as a tag and as choices. */
import { useTranslation } from 'react-i18next'
import { PERSON_STATE, type PersonState } from '@gatehouse/contract/restrictions/calls'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'

export function StateTag({ state }: { state: PersonState }) {
  const { t } = useTranslation('restrictions')
  return <StatusTag status={state === PERSON_STATE.inside ? 'info' : 'off'}>{t(`states.${state}`)}</StatusTag>
}

export function useStateOptions(): { value: PersonState; label: string }[] {
  const { t } = useTranslation('restrictions')
  return [PERSON_STATE.inside, PERSON_STATE.outside].map((value) => ({ value, label: t(`states.${value}`) }))
}
