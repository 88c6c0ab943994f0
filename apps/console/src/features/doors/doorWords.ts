/** What is said of a door that did not obey, and what is asked before one is opened. */
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { doorControlErrorType, doorOperation } from '@gatehouse/contract/enums/devices'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { modal } from '../../kit/feedback.tsx'
import { readOptions } from '../../api/query.ts'

/** @returns the sentence of an `errorType` of controlDoor */
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

interface Asked {
  deviceId?: string
  names: string
  always?: boolean
  /** Told where it is not agreed to. */
  onDeclined?: (() => void) | undefined
}

/**
 * Asks once more before a door is opened, where the park or the device wants that, or always.
 * @returns asks, where that is wanted, and goes on once it is agreed to
 */
export function useOpeningQuestion(): (operation: number, asked: Asked, goOn: () => void) => void {
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
    // Where nobody can say whether to ask, it is asked.
    void cache
      .fetchQuery(readOptions(doorCalls.setting, { query: { deviceId } }))
      .then(({ confirmFlag }) => (confirmFlag === 0 ? goOn() : ask()), ask)
  }
}
