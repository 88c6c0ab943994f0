/** What is said of a door that did not obey. */
import { useTranslation } from 'react-i18next'
import { doorControlErrorType } from '@gatehouse/contract/enums/devices'

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
