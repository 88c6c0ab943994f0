/**
 * Every limit of the product, each once, under the name that the specification uses. The unit is in the comment; sizes are in bytes. Pairs
 * are [least, most] unless the comment says otherwise.
 */

const MEBIBYTE = 1_048_576

// Loading and messages

/** Seconds until a screen that does not load counts as failed. */
export const CHUNK_LOAD_TIMEOUT = 120
/** Milliseconds a message stays. */
export const MESSAGE_DURATION = 1500
/** Milliseconds an error toast stays. */
export const ERROR_TOAST_DURATION = 5000
/** Requests stored for cancelling on navigation; the oldest is removed first. */
export const CANCEL_LIST_MAX = 50
/** Milliseconds between two reads of the stored area name: another tab may have switched the park. */
export const AREA_NAME_POLL = 6000
/** Pixels. */
export const SIDEBAR_COLLAPSED = 64
/** Pixels. */
export const SIDEBAR_EXPANDED = 220
/** Format of times, in the notation of day.js and similar libraries. */
export const DATE_FORMAT = 'YYYY-MM-DD HH:mm:ss'

// Session, accounts, passwords

/** Seconds between two keep-alive calls; well under a token's life. */
export const TOKEN_KEEP_INTERVAL = 600
/** Seconds until a failed keep-alive call is tried again. */
export const TOKEN_KEEP_RETRY = 60
/** Seconds before a data screen's session ends at which it is renewed. */
export const SESSION_RECHECK_BEFORE_EXPIRY = 60
/** Query parameter with the token of a call (downloads, images). */
export const TOKEN_QUERY_NAME = 'st'
/** Query parameter with the token in a data screen's address. */
export const DATA_SCREEN_TOKEN_QUERY = 'tk'
/** Days for which a password set by another user is valid for its only use: to be replaced by a new one. */
export const FIRST_PASSWORD_DAYS = 7
/** Characters of an account's password. */
export const PASSWORD_MIN = 8
/** Characters of an account's password. */
export const PASSWORD_MAX = 14
/** Validity of a password: values of the enum `passwordValidity`. */
export const PASSWORD_VALIDITY_OPTIONS = ['3m', '6m', '1y', 'forever'] as const
/** Wrong passwords in a row that lock an account. */
export const LOCK_AFTER = 6
/** Minutes an account stays locked. */
export const LOCK_FOR = 30
/** Minutes for which a password that was typed again satisfies the calls that require it. */
export const CONFIRMED_FOR = 5
/** Codes that one account may request, or check, by phone or e-mail in a day. Default of a setting. */
export const CODES_PER_DAY = 10
/** Characters of an account name. */
export const ACCOUNT_NAME_MIN = 2
/** Characters of an account name. */
export const ACCOUNT_NAME_MAX = 16
/** Characters of a user's e-mail, real name or telephone. */
export const USER_TEXT_MAX = 64
/** Hours for which captures of a camera are kept, where it is set by hours. */
export const CAPTURE_HOURS = [1, 720] as const
export const CAPTURE_HOURS_DEFAULT = 24
/** Days for which captures are kept otherwise. */
export const CAPTURE_DAYS = 30
/** Characters of a device-console account name. */
export const CONSOLE_ACCOUNT_MAX = 20
/** Characters of a device-console password. */
export const CONSOLE_PASSWORD_MIN = 6
/** Characters of a device-console password. */
export const CONSOLE_PASSWORD_MAX = 20

// Lists

export const PAGE_START = 1
/** First page of the lists with `pageNo`. */
export const PAGE_NO_START = 0
/** Rows. */
export const PAGE_SIZE_DEFAULT = 20
/** Rows. */
export const PAGE_SIZE_MAX = 100
/** Rows. */
export const PAGE_SIZE_OPTIONS = [10, 20, 50, 100] as const
/** Rows reachable by page number; beyond them a list continues by cursor. Records, captures and logs are not counted beyond it either. */
export const LIST_OFFSET_MAX = 10_000
/** Rows of a page of the park list. */
export const PARK_LIST_SIZE = 20
export const PARK_LIST_PAGE_START = 0
/** Days that a record list covers by default. */
export const RECORD_WINDOW_DEFAULT = 7
/** Days that a record list may cover at most: a leap year. */
export const RECORD_WINDOW_MAX = 366
/** Records one batch call may name. */
export const BATCH_MAX = 1000
/** Days until a validity ends, as a filter. */
export const EXPIRY_FILTERS = [7, 15, 30] as const
/** Numbers of hits that a face search can return. */
export const TOP_N = [10, 20, 50] as const

// Files

/** Bytes of a JSON body. */
export const JSON_BODY_MAX = MEBIBYTE
/** Bytes of a logo. */
export const IMAGE_MAX_SMALL = 1 * MEBIBYTE
/** Bytes of a face photo. */
export const IMAGE_MAX_MEDIUM = 10 * MEBIBYTE
/** Bytes of a screen background. */
export const IMAGE_MAX_LARGE = 20 * MEBIBYTE
/** Bytes of a face photo. */
export const FACE_FILE_MAX = IMAGE_MAX_MEDIUM
/** Pixels of a picture, width times height: a small file can need more memory than there is when it is decoded. */
export const IMAGE_PIXELS_MAX = 64_000_000
/** Pixels, [width, height]. */
export const FACE_IMAGE_MIN = [100, 100] as const
/** Bytes of a palm image. */
export const PALM_IMAGE_MAX = 3 * MEBIBYTE
/** Characters of the template of a palm, base64. */
export const PALM_TEMPLATE_MAX = 20_000
/** Templates of palms of one person that are sent to a device. */
export const PALM_TEMPLATES = 4
/** Bytes of a meeting room's reservation QR picture. */
export const RESERVATION_QR_MAX = 1 * MEBIBYTE
/** Bytes. */
export const IMPORT_FILE_MAX = 50 * MEBIBYTE
/** Rows of an import read, checked and shown at a time. */
export const IMPORT_PAGE_SIZE = 200
/** Bytes. */
export const ZIP_MAX = 300 * MEBIBYTE
/** Bytes of an upgrade package (tar). */
export const DEVICE_PACKAGE_MAX = 512 * MEBIBYTE
/** Pictures. */
export const PICTURES_PER_BATCH = 1000
/** Start of a CSV file: a UTF-8 file without it is refused (900107), because spreadsheet programs misread it. */
export const CSV_BYTE_ORDER_MARK = '\uFEFF'
/** Rows the browser itself may write to a file. */
export const CLIENT_EXPORT_ROWS = 1000
/** Records. */
export const SERVER_EXPORT_RECORDS = 50_000
/** Days an exported file is kept. */
export const EXPORT_KEPT = 7

// People

/** Characters. */
export const PERSON_NAME_MAX = 32
/** Characters of a person's or visitor's phone number. */
export const PHONE_MIN = 3
/** Characters of a person's or visitor's phone number. */
export const PHONE_MAX = 32
/** Characters of a person's work number, card number or ID number. */
export const PERSON_NUMBER_MAX = 32
/** Characters of a free text, such as a remark. */
export const TEXT_MAX = 100
export const CONTACTS_PER_PERSON = 4
/** Kinds of relation a contact may have. */
export const CONTACT_RELATIONS = 7
export const FACES_PER_PERSON = 3
/** Levels of person groups. */
export const PERSON_GROUP_DEPTH = 10
/** Digits of a device's or a person's pass password. */
export const PASSCODE_MIN = 4
/** Digits of a device's or a person's pass password. */
export const PASSCODE_MAX = 10

// Visitors

/** Days a visitor's authorisation may last. */
export const VISITOR_DAYS_MIN = 1
/** Days a visitor's authorisation may last. */
export const VISITOR_DAYS_MAX = 365
/** Time of the last day at which a visitor's authorisation ends. */
export const VISITOR_END_OF_DAY = '23:59:59'
/** Minutes before the appointment from which a visitor may sign in. */
export const SIGN_IN_LEAD_MIN = 0
/** Minutes before the appointment from which a visitor may sign in. */
export const SIGN_IN_LEAD_MAX = 90
/** Upper limit of a visit in days, exclusive: less than this many times 24 hours. */
export const VISIT_SPAN_MAX = 7
/** Hours an invitation link is valid. */
export const INVITATION_LINK = 2
/** Hours the QR code of a park for visitors is valid if no other end is requested. */
export const PARK_LINK = 24
/** Maximum hours the QR code of a park for visitors is valid. */
export const PARK_LINK_MAX = 365 * 24
/** Hours a self-enrolment link is valid if no other end is requested: the same as for an invitation. */
export const ENROLMENT_LINK = INVITATION_LINK
/** Maximum hours a self-enrolment link is valid. */
export const ENROLMENT_LINK_MAX = 30 * 24
/** Days for which approved and rejected applications can be read. */
export const APPLICATIONS_KEPT = 30

// Organisation

/** Organisations directly below one. Default of a setting. */
export const SUB_ORGANISATION_CAP = 100
/** Hours a park's QR code is valid by default. */
export const PARK_QR_DEFAULT = 24
/** Digits or capital letters. */
export const PARK_AUTH_CODE_LENGTH = 10
/** Number of the park type for which the academy labels are shown. */
export const PARK_TYPE_ACADEMY = 3
/** Days before the end of an organisation's service from which a reminder is shown. */
export const EXPIRY_REMINDER = 5

// Devices

/** Levels of device groups the console offers. */
export const DEVICE_GROUP_DEPTH_UI = 5
/** Levels of device groups the server accepts. */
export const DEVICE_GROUP_DEPTH_SERVER = 7
export const DEVICES_ADDED_AT_ONCE = 10
/** MAC addresses of locks one device may have. */
export const LOCK_MACS = 5
/** Days the secret of a new device, or a renewed one, waits for the terminal to pair. */
export const PAIRING_SECRET_KEPT = 7
/** Share of a device's capacity in persons from which it counts as nearly full. */
export const DEVICE_NEARLY_FULL = 0.9
/** Days the download of a device's log is kept. */
export const DEVICE_LOG_KEPT = 7
/** Digits of a card's password. */
export const CARD_PASSWORD = 6
/** Hexadecimal characters of a leader card's key: one of these two lengths. */
export const LEADER_KEY_HEX = [16, 32] as const
/** First digits of an ID number that name a card's area. */
export const CARD_AREA_DIGITS = [2, 6] as const
/** Characters of a prompt on a terminal's screen. */
export const PROMPT_TEXT_MAX = 64
/** Bytes (UTF-8) of a spoken prompt. */
export const VOICE_PROMPT_MAX = 32
/** Hertz. */
export const AUDIO_SAMPLE_RATE = 44_100
/** Kilobits per second. */
export const AUDIO_BIT_RATE = 128
/** Mono. */
export const AUDIO_CHANNELS = 1
/** Metres, one decimal. */
export const RECOGNITION_DISTANCE_MIN = 0.4
/** Metres, one decimal. */
export const RECOGNITION_DISTANCE_MAX = 2
/** Metres, where a mask or an ID card has to be seen too. */
export const RECOGNITION_DISTANCE_MAX_ONE_MODE = 1.5
/** Seconds until the same face is recognised again after it was admitted. */
export const RECOGNITION_SUCCESS_INTERVAL = [0, 5] as const
/** Seconds until the same face is recognised again after it was refused. */
export const RECOGNITION_FAILURE_INTERVAL = [0, 3] as const
/** Seconds. */
export const RECOGNITION_INTERVAL_STEP = 0.5
/** Days. */
export const RESTART_INTERVAL = [1, 100] as const
/** Port of the external upgrade page. */
export const UPGRADE_PAGE_PORT = 23_456
/** Minutes east of UTC a terminal can be set to: every offset in use from UTC-11 to UTC+14. */
export const TIME_ZONES = [
  -660, -600, -570, -540, -480, -420, -360, -300, -240, -210, -180, -120, -60, 0, 60, 120, 180, 210, 240, 270, 300, 330, 345, 360, 390, 420,
  480, 540, 570, 600, 630, 660, 720, 765, 780, 840,
] as const

// Access

/** Allowed dates of a time rule, and the same number of forbidden ones: two calendars of ten years with 200 days in each year. */
export const EXCEPTION_DATES = 4000
/** Bytes of a calendar file (iCalendar). */
export const CALENDAR_FILE_MAX = 1 * MEBIBYTE
/** Approximate minutes until a rule that takes effect today is in effect on all devices. */
export const RULE_EFFECT_TODAY = 10
/** Temperature for which a warning mark is shown: not a value, never converted or averaged. */
export const TEMPERATURE_WARNING = -1
/** Temperature for which nothing is shown: not a value, never converted or averaged. */
export const TEMPERATURE_BLANK = -2
export const TEMPERATURE_DECIMALS = 1

// Surveillance and alarms

export const EMAIL_ALARM_ADDRESSES = 20
/** Per cent of a custom precision. */
export const PRECISION_CUSTOM_MIN = 0
/** Per cent of a custom precision. */
export const PRECISION_CUSTOM_MAX = 100
/** Raw score. */
export const THRESHOLD_MIN = 1
/** Raw score. */
export const THRESHOLD_MAX = 100
/**
 * Highest threshold of a single person's face. Doors with many people use more than 100 for all people; above 250 only the identical
 * picture matches.
 */
export const PERSON_THRESHOLD_MAX = 250
export const VALUE_BOUND_MIN = 0
export const VALUE_BOUND_MAX = 10_000
/** Bubbles shown at once; the oldest is removed. */
export const ALARM_BUBBLES_MAX = 4
/** Milliseconds an alarm sounds. */
export const ALARM_SOUND_DEFAULT = 5000
/** Seconds a bubble stays: values of the enum `alarmPopupStay`, 0 none and -1 forever. */
export const ALARM_POPUP_OPTIONS = [0, 5, 30, -1] as const

// Live connection, calls, video

/** Milliseconds between two heartbeats the console sends. */
export const SOCKET_HEARTBEAT_OUT = 10_000
/** Milliseconds between two heartbeats the console expects. */
export const SOCKET_HEARTBEAT_IN = 10_000
/** Bytes of a frame. */
export const SOCKET_FRAME_LIMIT = 16_384
/** Milliseconds until a lost connection is tried again. */
export const SOCKET_RECONNECT = 3000
/** Digits of an intercom code. */
export const DIGITAL_CODE_MIN = 4
/** Digits of an intercom code. */
export const DIGITAL_CODE_MAX = 6
/** Per cent. */
export const VOLUME_DEFAULT = 60
/** Pictures side by side on the monitor page. */
export const MONITOR_CHANNELS_MAX = 9
/** Path prefix of the media service, in addition to the services of `SERVICE_PREFIX`. */
export const PREFIX_RTC = '/rtc/v1'

// Attendance and patrol

/** On-duty and off-duty pairs of a shift. */
export const SHIFT_PAIRS_MAX = 3
/** Days a make-up may span, both ends counted. */
export const MAKE_UP_SPAN_MAX = 31
/** Upper limit of a duration in minutes, exclusive: those of a day. */
export const MINUTES_MAX = 1440
/** Hours a patrol's period may last. */
export const PATROL_SPAN_MAX = 24

// Epidemic prevention

/** Seconds a travel card is valid by default. */
export const TRAVEL_CARD_VALIDITY = 3600
/** Days of travel in a record. */
export const ITINERARY_WINDOW = 7
/** Maximum age of a negative test in hours. */
export const NUCLEIC_ACID_WINDOWS = [24, 48, 72] as const
/** Minimum number of doses. */
export const VACCINE_MINIMUMS = [1, 2, 3] as const

// Meetings and welcome screens

/** Upper limit of a meeting in days, exclusive: less than this many times 24 hours. */
export const MEETING_SPAN_MAX = 7
/** Capacity of a meeting room that has no limit. */
export const CAPACITY_UNLIMITED = 0
export const WELCOME_SCREENS = 10

// Operation log, dictionary, data screens

/** Months for which entries of the operation log and of the log of reads are kept. Default of a setting. */
export const LOG_KEPT_MONTHS = 24
/** Characters of a custom label of a value in the data dictionary. */
export const DICTIONARY_LABEL_MAX = 100
/** Seconds between two readings of a data screen. */
export const SCREEN_REFRESH_MIN = 5
/** Seconds between two readings of a data screen. */
export const SCREEN_REFRESH_MAX = 600
/** Access events on a data screen. */
export const SCREEN_PASSAGES = 8
/** Links that open the data screen of one park. */
export const SCREEN_LINKS_MAX = 100

/** Characters of the reason that a face is searched for; the log of reads keeps it. */
export const SEARCH_REASON_MAX = 200
