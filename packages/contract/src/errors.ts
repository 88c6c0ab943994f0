/**
 * The error catalogue. Its five families reuse each other's numbers with other meanings (901 is a login code, a body
 * code and a fail reason; 400 a parameter error, a wrong console password and a busy device), so each has its own
 * table and its own texts: `i18n/<lang>/errors.json`, keys `business.200005`, `login.903`, `http.404`,
 * `client.EXPORT_EMPTY`, `deviceConsole.201`. Never look a code up in another family's table.
 */

/** A refusal with a business code, and what the console does in addition to showing the translated text and rejecting the call. */
export interface BusinessError {
  /** The name by which it is raised: `refuse(code.phoneExists)`. */
  name: string
  /** HTTP status of the answer; default 200. */
  httpStatus?: 400 | 401 | 403
  /** No toast: the form shows it beside the field, or the user does not need it. */
  silent?: true
  /** The server's own sentence is shown as an error toast for `ERROR_TOAST_DURATION`, not the catalogue's. */
  showServerMessage?: true
  /** The items of the answer come first, in brackets, then the text. */
  itemsInBrackets?: true
  /** With HTTP 401: tokens and storage are cleared and the user is redirected to /login. Any other 401 leads to /403. */
  endsSession?: true
  /** Where the console navigates at once. */
  goTo?: '/login?reload=1' | '/403'
}

export const businessCodes = {
  3701: { name: 'routeHasTasks' },
  40120: { name: 'tokenExpired', httpStatus: 401, endsSession: true },

  100101: { name: 'permissionInUse' },
  100112: { name: 'emailExists', silent: true },
  100113: { name: 'tooManyCodeRequests' },
  100114: { name: 'tooManyCodeChecks' },
  100115: { name: 'wrongCode' },
  100200: { name: 'roleNeedsPermission' },
  100201: { name: 'roleInUse' },
  100203: { name: 'roleNameExists' },
  100401: { name: 'wrongCredentials', httpStatus: 400 },
  100402: { name: 'userNameExists', silent: true },
  100406: { name: 'wrongOldPassword' },
  100412: { name: 'sessionInvalid', httpStatus: 401, endsSession: true, goTo: '/login?reload=1' },
  100413: { name: 'areaForbidden', goTo: '/403' },
  100415: { name: 'domainInvalid' },
  100416: { name: 'domainExists' },
  100419: { name: 'passwordSameAsLast' },
  100420: { name: 'passwordTooSimple' },
  100508: { name: 'exportNotWaiting' },
  100509: { name: 'exportNotFailed' },
  100510: { name: 'noPermission', httpStatus: 403 },

  200005: { name: 'phoneExists' },
  200102: { name: 'groupHasChildren' },
  200103: { name: 'groupInSurveillance' },
  200107: { name: 'groupNameExists' },
  200201: { name: 'faceWithoutFeature' },
  200202: { name: 'tooManyFaces' },
  200203: { name: 'facesOfDifferentPersons' },
  200204: { name: 'noFace' },
  200205: { name: 'imageUnreadable' },
  200206: { name: 'imageTooLarge' },
  200207: { name: 'cardInUse' },
  200208: { name: 'imageTooSmall' },
  200214: { name: 'idNumberInUse' },
  200215: { name: 'workNumberInUse' },
  200218: { name: 'multipleFaces' },
  200219: { name: 'faceUnclear' },
  200224: { name: 'personDisabled' },
  200225: { name: 'fieldTooLong' },
  200226: { name: 'organisationHasChildren' },
  200227: { name: 'currentParkNotDeletable' },
  200228: { name: 'moduleEnabledInChild' },
  200401: { name: 'visitorNotFound', silent: true },
  200420: { name: 'visitorStatusChanged' },
  200424: { name: 'visitorAlreadySignedOff' },
  200445: { name: 'visitorNotSignedOff' },
  200446: { name: 'phoneBelongsToStaff' },
  201219: { name: 'faceTooFewPixels' },
  201220: { name: 'facePitched' },
  201221: { name: 'faceTurned' },
  201222: { name: 'faceBlurred' },
  201223: { name: 'faceNearEdge' },

  300001: { name: 'ruleNotFound' },
  300002: { name: 'ruleInUse' },
  300003: { name: 'defaultRuleNotDeletable' },
  300101: { name: 'strategyNotFound' },
  300102: { name: 'strategyInUse' },
  300103: { name: 'defaultStrategyNotDeletable' },
  300203: { name: 'periodsOverlap' },
  300204: { name: 'periodRequired' },
  300206: { name: 'nonFaceMethodRequired' },

  400001: { name: 'deviceNotOnline' },
  400002: { name: 'deviceInUse' },
  400003: { name: 'tooManyDevicesAtOnce' },
  400004: { name: 'deviceNotFound' },
  400005: { name: 'deviceNameExists' },
  400006: { name: 'deviceCodeExists' },
  400204: { name: 'deviceModelMismatch' },
  400205: { name: 'noRemoteControl' },
  400206: { name: 'remoteControlOccupied' },

  500001: { name: 'taskNotFound' },
  500002: { name: 'taskNameExists' },
  500003: { name: 'taskInControl' },
  500004: { name: 'taskNotEditable' },
  500005: { name: 'taskEndNotAfterStart' },
  500006: { name: 'taskNeedsDevice' },
  500007: { name: 'taskNeedsPersonGroup' },
  500008: { name: 'controlPeriodRequired' },
  500009: { name: 'thresholdOutOfRange' },
  500010: { name: 'deviceInTask' },
  500011: { name: 'taskGroupNotFound' },
  500012: { name: 'alarmNotFound' },
  500013: { name: 'alarmAlreadyHandled' },
  500014: { name: 'alarmStatusNotAllowed' },
  500015: { name: 'captureNotFound' },
  500016: { name: 'alarmRecordingTypeRequired' },

  510000: { name: 'welcomeScreensFull' },
  510001: { name: 'carParkNotConfigured' },
  510002: { name: 'carParkUnreachable' },
  510003: { name: 'carParkAccountRefused' },
  510004: { name: 'carParkMerchantWrong' },
  510005: { name: 'carParkDataNotFound' },
  510012: { name: 'itemsInUse', itemsInBrackets: true },

  600003: { name: 'areaHasDevices' },

  800000: { name: 'personInAttendanceGroup', showServerMessage: true },
  800001: { name: 'personGroupInAttendanceGroup', showServerMessage: true },
  800002: { name: 'defaultShiftNotDeletable' },
  800003: { name: 'shiftInUse' },
  800004: { name: 'attendanceGroupNameExists' },
  800005: { name: 'shiftNameExists' },

  900000: { name: 'systemBusy' },
  900004: { name: 'nameExists' },
  900007: { name: 'timeRangeInvalid' },
  900107: { name: 'fileNotUtf8WithBom' },
  900109: { name: 'dataReferenced' },
  900114: { name: 'phoneFormatWrong' },

  1100001: { name: 'applicationToOwnPark' },
  1100002: { name: 'applicationExists' },
  1100003: { name: 'parksAlreadyLinked' },
  1100004: { name: 'applicationNotOpen' },

  1200001: { name: 'emailInvalid' },
  1200002: { name: 'tooManyEmails' },
} as const satisfies Record<number, BusinessError>

export type BusinessCode = keyof typeof businessCodes

type Named = Record<number, { readonly name: string }>
type CodeByName<Table> = { readonly [Code in keyof Table as Table[Code] extends { name: infer Name extends string } ? Name : never]: Code }

const codeByName = <const Table extends Named>(table: Table) =>
  Object.freeze(Object.fromEntries(Object.entries(table).map(([number, { name }]) => [name, Number(number)]))) as CodeByName<Table>

/** Business codes by name: `code.phoneExists` is 200005. */
export const code = codeByName(businessCodes)

/** Every integer code of the business family: 0 is success and so no refusal, but it is part of the catalogue. */
export const catalogueCodes: readonly number[] = [0, ...Object.keys(businessCodes).map(Number)]

/** Return the entry of a received code; undefined for a code that is not in the catalogue (the server's message is shown then). */
export const businessErrorOf = (received: number): BusinessError | undefined => (businessCodes as Record<number, BusinessError>)[received]

/** What an HTTP status (or a body code of the same number) makes the console do; the text is always "status and translated text". */
export interface HttpError {
  name: string
  /** Not shown if the token call is refused with it: the login form shows its own message. */
  silentAtTokenCall?: true
  /** Sent as body code only: 901 is not a valid HTTP status. */
  bodyOnly?: true
  /** Unless the body code ends the session, the user is redirected here; on /home the call is only rejected. */
  goTo?: '/403'
}

/**
 * 409, 413, 415, 426, 429 and 503 are not in the specification: a changed record, a body that is too large, an unsupported content type,
 * plain http where https is available, too many requests (`Retry-After` is the number of seconds to wait), a server that is not ready.
 */
export const httpStatuses = {
  400: { name: 'parameterError' },
  401: { name: 'notAuthorised', goTo: '/403' },
  403: { name: 'forbidden', silentAtTokenCall: true },
  404: { name: 'notFound' },
  408: { name: 'bodyTooSlow' },
  409: { name: 'changedMeanwhile' },
  413: { name: 'bodyTooLarge' },
  415: { name: 'mediaTypeNotSupported' },
  426: { name: 'encryptionNeeded' },
  429: { name: 'tooManyRequests' },
  500: { name: 'internalError' },
  503: { name: 'notReady' },
  504: { name: 'notResponding' },
  901: { name: 'userDisabled', bodyOnly: true },
} as const satisfies Record<number, HttpError>
export type HttpStatus = keyof typeof httpStatuses
/** HTTP statuses by name: `httpStatus.notFound` is 404. */
export const httpStatus = codeByName(httpStatuses)

/** Refusals of the token call, all HTTP 400. */
export const loginCodes = {
  901: { name: 'accountDisabled' },
  902: { name: 'passwordExpired', opensPasswordForm: true },
  903: { name: 'accountLocked' },
  904: { name: 'accountExpired' },
  905: { name: 'captchaFailed', renewsCaptcha: true },
  // Not in the specification: the password is right, and a one-time password is required in addition.
  906: { name: 'secondFactorNeeded', asksOneTimeCode: true },
  907: { name: 'secondFactorWrong', asksOneTimeCode: true },
} as const satisfies Record<number, { name: string; opensPasswordForm?: true; renewsCaptcha?: true; asksOneTimeCode?: true }>
export type LoginCode = keyof typeof loginCodes
/** Login codes by name: `loginCode.accountLocked` is 903. */
export const loginCode = codeByName(loginCodes)

/** A failure that the console itself detects, and where it is shown. */
export interface ClientError {
  /** `form` beside what was entered, `thrown` for the error boundary, `none` if it is not shown. */
  place: 'toast' | 'warning' | 'form' | 'thrown' | 'none'
  closesCall?: true
  goTo?: '/login' | 'back'
}

export const clientErrors = {
  CALL_HUNG_UP: { place: 'toast', closesCall: true },
  CALL_INTERRUPTED: { place: 'toast', closesCall: true },
  CALL_TIMEOUT: { place: 'toast', closesCall: true },
  CHUNK_LOAD_TIMEOUT: { place: 'thrown' },
  DOOR_BUSINESS: { place: 'toast' },
  DOOR_ERROR: { place: 'toast' },
  DOOR_OFFLINE: { place: 'toast' },
  DOOR_TIMEOUT: { place: 'toast' },
  DUPLICATE_SELECTION: { place: 'form' },
  EXPORT_EMPTY: { place: 'toast' },
  EXPORT_TOO_MANY: { place: 'toast' },
  LAZY_LOAD_FAILED: { place: 'none', goTo: 'back' },
  MIC_MISSING: { place: 'toast' },
  NAVIGATION_CANCELLED: { place: 'none' },
  NOT_HTTPS: { place: 'warning' },
  PASSWORD_COUNT_WARNING: { place: 'warning' },
  PUSH_ADDRESS_BAD: { place: 'form' },
  REFRESH_TOKEN_EXPIRED: { place: 'toast', goTo: '/login' },
  REFRESH_TOKEN_MISSING: { place: 'toast', goTo: '/login' },
  REMOTE_CONTROL_REFUSED: { place: 'toast' },
  RTC_400: { place: 'toast' },
  RTC_NONZERO: { place: 'toast', closesCall: true },
  VIDEO_NOT_PLAYABLE: { place: 'toast' },
  VISITOR_APPOINTMENT_EXPIRED: { place: 'toast' },
  WRONG_CREDENTIALS: { place: 'form' },
} as const satisfies Record<string, ClientError>
export type ClientErrorCode = keyof typeof clientErrors

/** Answers of a terminal's own web console. Three are not failures: `success`, `upgrading`, `defaultsRestored`. */
export const deviceConsoleCodes = {
  200: { name: 'success', done: true },
  201: { name: 'upgrading', done: true, blocking: true },
  202: { name: 'defaultsRestored', done: true },

  301: { name: 'temperatureFailure' },
  302: { name: 'wiegandReadFailure' },

  400: { name: 'wrongCredentials' },
  401: { name: 'notLoggedIn' },
  402: { name: 'hardwareVersionInvalid' },
  403: { name: 'fileAbnormal' },
  404: { name: 'macInvalid' },
  406: { name: 'syncFailed' },
  407: { name: 'passwordEmpty' },
  408: { name: 'userNameEmpty' },
  409: { name: 'userNameExists' },
  410: { name: 'timeoutOfDevice' },
  411: { name: 'timeoutOfNetwork' },

  501: { name: 'parseFailed' },
  502: { name: 'fileMissing' },
  503: { name: 'fileUnreadable' },
  504: { name: 'fileFormatWrong' },
  505: { name: 'fileNotSaved' },
  506: { name: 'registrationAbnormal' },
  507: { name: 'featureExtractionFailed' },
  508: { name: 'deleteFailed' },
  509: { name: 'deletePartlyFailed' },
  510: { name: 'parametersWrong' },
  513: { name: 'setTimeFailed' },
  516: { name: 'timeServerFailed' },
  517: { name: 'algorithmAlreadyLatest' },
  522: { name: 'voiceTextTooLong' },
  523: { name: 'imageNameWrong' },
  524: { name: 'imageFormatUnsupported' },
  525: { name: 'verificationFailed' },
  526: { name: 'versionTooLow' },
  527: { name: 'upgradeFailed' },
  528: { name: 'clearFailed' },
  529: { name: 'peopleLimitReached' },
  530: { name: 'databaseIncompatible' },
  531: { name: 'wifiFailed' },
  532: { name: 'cardNumberExists' },
  534: { name: 'exportInProgress' },
  535: { name: 'noFeatureInImage' },
  536: { name: 'imageNotPng' },
  537: { name: 'nothingToExport' },
  538: { name: 'macFetchFailed' },
  539: { name: 'exportTooLarge' },
  540: { name: 'packageInvalid' },
  541: { name: 'packageMismatched' },
  542: { name: 'packageCheckFailed' },
  543: { name: 'packageBaseTooNew' },

  999: { name: 'otherError' },
} as const satisfies Record<number, { name: string; done?: true; blocking?: true }>
export type DeviceConsoleCode = keyof typeof deviceConsoleCodes
/** Device-console codes by name: `deviceConsoleCode.notLoggedIn` is 401. */
export const deviceConsoleCode = codeByName(deviceConsoleCodes)
