/** The reasons of failed operations in words, and the question before a door is opened. */
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { doorControlErrorType, doorOperation } from '@gatehouse/contract/enums/devices'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { modal } from '../../kit/feedback.tsx'
import { readOptions } from '../../api/query.ts'

/** Return a function that returns the sentence for an `errorType` of `controlDoor`. */
export function useDoorWords(): (errorType: number | null) => string {
  const { t } = useTranslation('doors')
  const words: Record<number, string> = {
    [doorControlErrorType.timeout]: t('why.timeout'),
    [doorControlErrorType.offline]: t('why.offline'),
    [doorControlErrorType.business]: t('why.business'),
    [doorControlErrorType.businessOther]: t('why.businessOther'),
    [doorControlErrorType.error]: t('why.error'),
  }
  return (errorType) => words[errorType ?? doorControlErrorType.error] ?? t('why.error')
}

interface OpeningQuestion {
  deviceId?: string
  names: string
  always?: boolean
  /** Called where the user declined. */
  onDeclined?: (() => void) | undefined
}

/**
 * Return a function that asks the user before a door is opened, where the park or the device demands it or `always` is set,
 * and goes on once the user has agreed.
 */
export function useOpeningQuestion(): (operation: number, question: OpeningQuestion, goOn: () => void) => void {
  const { t } = useTranslation('doors')
  const label = useEnumLabel()
  const cache = useQueryClient()
  return (operation, { deviceId, names, always = false, onDeclined }, goOn) => {
    if (operation === doorOperation.close) return goOn()
    const ask = (): void =>
      modal.confirm({
        title: t('confirmTitle', { operation: label(doorOperation, operation), names }),
        content: t('confirmWords'),
        okText: label(doorOperation, operation),
        cancelText: t('common:cancel'),
        onOk: goOn,
        ...(onDeclined && { onCancel: onDeclined }),
      })
    if (always) return ask()
    // Where the setting cannot be read, the user is asked.
    void cache
      .fetchQuery(readOptions(doorCalls.setting, { query: { deviceId } }))
      .then(({ confirmFlag }) => (confirmFlag === 0 ? goOn() : ask()), ask)
  }
}
