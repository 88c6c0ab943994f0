/** /addAccessRestrictionDetail: adds an area, or changes the one whose id is in the query. */
import { Form, Input, InputNumber, Radio, Segmented, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { passDirection } from '@gatehouse/contract/enums/devices'
import { restrictionLimitType } from '@gatehouse/contract/enums/access'
import { restrictionCalls, type RestrictionArea, type restrictionFields } from '@gatehouse/contract/restrictions/calls'
import type { InputOf } from '@gatehouse/contract'
import { useEnumOptions, useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { FormPage } from '../../kit/form/FormPage.tsx'
import { loadedFrom, ready } from '../../kit/form/loaded.ts'
import { useReadOnce } from '../../api/query.ts'
import { DoorsField } from '../../shared/DoorsField.tsx'
import { detailOf } from './areas.tsx'
import styles from './restrictions.module.css'

export default function AreaFormPage() {
  const [search] = useSearchParams()
  const id = search.get('id')
  return id ? <ChangeArea key={id} id={id} /> : <AddArea />
}

function useShowIt(): (answer: { id: string }) => void {
  const navigate = useNavigate()
  return ({ id }) => void navigate(detailOf(id), { replace: true })
}

function AddArea() {
  const { t } = useTranslation('restrictions')
  return (
    <FormPage
      call={restrictionCalls.create}
      title={t('add')}
      initial={ready(newArea())}
      done={t('saved')}
      draft="restriction.add"
      onDone={useShowIt()}
    >
      <AreaFields />
    </FormPage>
  )
}

function ChangeArea({ id }: { id: string }) {
  const { t } = useTranslation('restrictions')
  const area = useReadOnce(restrictionCalls.read, { params: { id } })
  return (
    <FormPage
      call={restrictionCalls.change}
      title={t('editOf', { name: area.data?.name ?? '' })}
      initial={loadedFrom(area, valuesOf)}
      hidden={{ id, version: area.data?.version }}
      done={t('saved')}
      draft={`restriction.${id}`}
      onDone={useShowIt()}
    >
      <AreaFields area={area.data} />
    </FormPage>
  )
}

function AreaFields({ area }: { area?: RestrictionArea | undefined }) {
  const { t } = useTranslation('restrictions')
  const optionsOf = useEnumOptions()
  const form = Form.useFormInstance<AreaValues>()
  const limited = Form.useWatch('flowLimit', form) === true
  return (
    <>
      <div className={styles.fields}>
        <Form.Item name="name" label={t('name')} required>
          <Input maxLength={32} autoComplete="off" />
        </Form.Item>
        <Form.Item name="limitType" label={t('limitType')} extra={t('limitTypeHint')}>
          <Segmented
            aria-label={t('limitType')}
            options={optionsOf(restrictionLimitType)}
            onChange={(type) =>
              form.setFieldsValue(
                type === restrictionLimitType.flowLimit
                  ? { flowLimit: true, antiSneakBack: false }
                  : { antiSneakBack: true, flowLimit: false },
              )
            }
          />
        </Form.Item>
      </div>
      <fieldset className={styles.part}>
        <legend>{t('where')}</legend>
        <Form.Item name="deviceIds" label={t('doors')} required extra={t('doorsHint')}>
          <DevicesField initial={area?.devices} />
        </Form.Item>
        <Form.Item name="exitDeviceIds" label={t('exits')} extra={t('exitsHint')}>
          <DevicesField initial={area?.exitDevices} direction={passDirection.out} />
        </Form.Item>
      </fieldset>
      <fieldset className={styles.part}>
        <legend>{t('rules')}</legend>
        <Form.Item name="antiSneakBack" label={t('antiSneakBack')} valuePropName="checked" extra={t('antiSneakBackHint')}>
          <Switch />
        </Form.Item>
        <Form.Item name="flowLimit" label={t('flowLimit')} valuePropName="checked" extra={t('flowLimitHint')}>
          <Switch />
        </Form.Item>
        <Form.Item name="limitCount" label={t('limitCount')} required={limited} hidden={!limited}>
          <InputNumber min={1} max={100_000} precision={0} />
        </Form.Item>
      </fieldset>
      <fieldset className={styles.part}>
        <legend>{t('offline')}</legend>
        <Form.Item name="offlinePolicy" label={t('offlineQuestion')} extra={t('offlineHint')}>
          <Radio.Group
            className={styles.choices ?? ''}
            options={(['refuse', 'allow'] as const).map((value) => ({ value, label: t(`offlinePolicy.${value}`) }))}
          />
        </Form.Item>
      </fieldset>
    </>
  )
}

interface DevicesFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string[]
  onChange?: (ids: string[]) => void
  /** Devices that are chosen already. */
  initial?: RestrictionArea['devices'] | undefined
  /** Only devices of this direction are offered. */
  direction?: number
}

/** The doors of an area, each with its direction. The value is the ids of their devices. */
function DevicesField({ direction, ...field }: DevicesFieldProps) {
  const { t } = useTranslation('restrictions')
  const label = useEnumLabel()
  return (
    <DoorsField
      {...field}
      placeholder={t('chooseDoors')}
      offers={(device) => direction === undefined || device.direction === direction}
      labelOf={({ name, direction: way }) =>
        way === undefined ? name : t('doorWithDirection', { name, direction: label(passDirection, way) })
      }
    />
  )
}

type AreaValues = Partial<InputOf<typeof restrictionFields>>

/** Return the initial values of a new area. */
const newArea = (): AreaValues => ({
  limitType: restrictionLimitType.antiSneakBack,
  deviceIds: [],
  exitDeviceIds: [],
  antiSneakBack: true,
  flowLimit: false,
  limitCount: null,
  offlinePolicy: 'refuse',
})

const valuesOf = ({
  name,
  limitType,
  deviceIds,
  exitDeviceIds,
  antiSneakBack,
  flowLimit,
  limitCount,
  offlinePolicy,
}: RestrictionArea): AreaValues => ({
  name,
  limitType,
  deviceIds,
  exitDeviceIds,
  antiSneakBack,
  flowLimit,
  limitCount,
  offlinePolicy,
})
