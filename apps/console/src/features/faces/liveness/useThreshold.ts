/** Takes a threshold over into the policy, of which it is a part; everything else there stays as it is. */
import { useTranslation } from 'react-i18next'
import { facePolicyCalls } from '@gatehouse/contract/faces/policy'
import { request } from '../../../api/request.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { policyValuesOf } from '../policy/policyValues.ts'

export function useThreshold(): { threshold: (value: number) => void; pending: boolean } {
  const { t } = useTranslation('faces')
  const change = useWrite(facePolicyCalls.change, { done: t('liveness.used') })
  const threshold = async (value: number): Promise<void> => {
    const values = policyValuesOf(await request(facePolicyCalls.read, {}))
    change.run({ body: { ...values, liveness: { ...values.liveness, threshold: value } } })
  }
  // A refusal has been shown already.
  return { threshold: (value) => void threshold(value).catch(() => undefined), pending: change.pending }
}
