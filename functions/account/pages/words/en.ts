import type { Words } from '../../../../web/account/page-words.ts';

export const en: Words = {
  languages: 'Language',
  needsScript: 'This page works with JavaScript only.',
  views: {
    'sign-in': { title: 'Sign in', lead: '' },
    'sign-up': {
      title: 'Create an account',
      lead: 'It comes with a project of your own. A link that confirms your address comes by mail.',
    },
    'first-owner': {
      title: 'The first account',
      lead: 'This link makes the first account of this service. Afterwards you can invite others.',
    },
    code: {
      title: 'One more step',
      lead: 'Enter the 6 digits that your authenticator app shows for Vendor now.',
    },
    backup: {
      title: 'Use a backup code',
      lead: 'You got these codes when you set up the second factor. Each works once.',
    },
    forgot: {
      title: 'Forgot your password?',
      lead: 'You will get a mail with a link for choosing a new one.',
    },
    sent: {
      title: 'Check your mail',
      lead: 'If {email} has an account, a link is on its way. It works once, within an hour.',
    },
    'signed-in': { title: 'You are signed in', lead: 'As {name}, {email}.' },
    unconfirmed: {
      title: 'Confirm your e-mail address',
      lead: 'A link was mailed to {email}. Open it within 24 hours. Until then you can change nothing.',
    },
    'email-confirmed': {
      title: 'Your e-mail address is confirmed',
      lead: 'You are signed in as {name}, {email}.',
    },
    confirm: {
      title: 'Join a project',
      lead: 'You are signed in as {name}, {email}.',
    },
    joined: { title: 'You have joined {project}', lead: 'Your role is {role}. {rights}' },
    refused: {
      title: 'This invitation is no longer valid',
      lead: 'It was used or withdrawn, or its seven days have passed. Ask the person who invited you for another one.',
    },
    unread: { title: 'This can’t be shown now', lead: '' },
    'no-secret': {
      title: 'This link is not complete',
      lead: 'Open the invitation exactly as you got it. A part of the link, after the #, is missing or wrong.',
    },
    reset: {
      title: 'Choose a new password',
      lead: 'You will be signed out everywhere, and your API keys and query tokens will be revoked. A second factor stays as it is.',
    },
    done: {
      title: 'The password is changed',
      lead: 'You were signed out everywhere, and your API keys and query tokens are revoked. Sign in with the new one.',
    },
    over: { title: 'This link no longer works', lead: 'It was used already, or its hour has passed.' },
    'no-token': {
      title: 'This link is not complete',
      lead: 'Open the link exactly as you got it. A part of it, after the #, is missing or wrong.',
    },
  },
  fields: {
    email: 'E-mail address',
    password: 'Password',
    newPassword: 'New password',
    name: 'Name (optional)',
    code: '6-digit code',
    backupCode: 'Backup code',
  },
  hints: {
    newPassword: 'At least # characters.',
    name: 'Your name. Your first project gets it too.',
    backupCode: 'Ten characters with a hyphen in the middle.',
  },
  buttons: {
    signIn: 'Sign in',
    signInToJoin: 'Sign in and join',
    signUp: 'Create account',
    signUpToJoin: 'Create account and join',
    continue: 'Continue',
    sendLink: 'Send the link',
    sendAnother: 'Send another link',
    setPassword: 'Set the password',
    join: 'Join the project',
    tryAgain: 'Try again',
  },
  links: {
    toSignIn: 'Sign in',
    toSignUp: 'Create an account',
    toForgot: 'Forgot your password?',
    toBackup: 'Use a backup code',
    toCode: 'Use the app’s code',
    again: 'Start over',
    signOut: 'Sign out',
    otherAccount: 'Use another account',
    newLink: 'Request another link',
    opened: 'I have opened it',
    later: 'Later',
    toAccount: 'Your account',
    toSecurity: 'Sessions, password and second factor',
    toDashboard: 'Open the dashboard',
  },
  invited: 'You are invited to a project. Sign in to join it, or create an account.',
  toConfirm:
    'Sign in to confirm your e-mail address. If you did not make this account, ask for a new password: then it is yours.',
  invitation: { project: 'Project', role: 'Your role', ends: 'Valid until' },
  thenInvitation: 'After that, open the invitation again.',
  script: {
    sentences: {
      'This address has an account already.': 'This address has an account already. Sign in instead.',
      'Nobody can sign up here without an invitation. Ask an owner or admin of a project for one.':
        'Nobody can sign up here without an invitation. Ask an owner or admin of a project for one.',
      'This invitation was used or withdrawn, or has ended. Ask whoever invited you for another one.':
        'This invitation was used or withdrawn, or has ended. Ask whoever invited you for another one.',
      'This service has an owner already. Sign in, or ask an owner for an invitation.':
        'This service has an owner already. Sign in, or ask an owner for an invitation.',
      'This link for the first owner is wrong, or its day has passed. Start the service again: it prints another one.':
        'This link is wrong, or its day has passed. Start the service again: it prints another one.',
      'No account has this e-mail address and this password.':
        'No account has this e-mail address and this password.',
      'This code is wrong or has expired.': 'This code is wrong or has expired.',
      'Sign in with your password first.': 'Too much time has passed. Start over, with your password.',
      'Too many wrong codes. Sign in with your password again.':
        'Too many wrong codes. Start over, with your password.',
      'Sign in at `/api/auth/sign-in`.': 'You are not signed in any more. Sign in again.',
      'You are a member of this project already.':
        'You are a member of this project already. Somebody else can still use the invitation.',
      'Confirm your e-mail address first: open the link that was mailed to you.':
        'Confirm your e-mail address first: open the link that was mailed to you.',
      'This link is for another account than the one that is signed in.':
        'This link is for another account than the one that is signed in. Sign in to that one.',
      'Your e-mail address is confirmed already.': 'Your e-mail address is confirmed already.',
      'This service sends no mail. Ask whoever runs it.': 'This service sends no mail. Ask whoever runs it.',
      'A part of the service is out of reach. Nothing was changed; try again.':
        'A part of the service is out of reach. Nothing was changed; try again.',
      'A part of the service is out of reach. What was sent may have been stored; send it again.':
        'A part of the service is out of reach. What was sent may have been stored; send it again.',
      'Something went wrong on our side. It was logged.': 'Something went wrong on our side. It was logged.',
    },
    rules: {
      'must not be empty': 'This is missing.',
      'must be an e-mail address': 'This is not an e-mail address.',
      'must have at least # characters': 'This must have at least # characters.',
      'must have at most # characters': 'This must have at most # characters.',
      'must be 6 digits': 'This is not a code.',
      'must be 6 digits or a backup code': 'This is not a code.',
    },
    unreachable: 'The service can’t be reached. Check your connection and try again.',
    tooMany: 'Too many attempts. Try again {when}.',
    elsewhere: 'This works only at the service’s own address: {address}',
    roles: { owner: 'owner', admin: 'admin', viewer: 'viewer' },
    rights: {
      owner: 'Owners may do everything.',
      admin: 'Admins change everything except owners.',
      viewer: 'Viewers read everything and change nothing.',
    },
    mailed: 'Another link is on its way.',
    linkOver: 'This link no longer works: its 24 hours have passed. Request another one.',
    showPassword: 'Show password',
    hidePassword: 'Hide password',
    busy: 'One moment …',
  },
  kept: {
    views: {
      'sign-up': {
        lead: 'It comes with a project of your own. This server sends no mail: ask whoever runs it for the link that confirms your address.',
      },
      forgot: {
        lead: 'This server sends no mail. Whoever runs it passes you a link for choosing a new one.',
      },
      sent: {
        title: 'Ask for your link',
        lead: 'This server sends no mail. If {email} has an account, there is a link for you on the server: ask whoever runs it. It works once, within an hour.',
      },
      unconfirmed: {
        lead: 'This server sends no mail. The link for {email} is on the server: ask whoever runs it, and open the link within 24 hours. Until then you can change nothing.',
      },
    },
    buttons: { sendLink: 'Make a link', sendAnother: 'Make another link' },
    script: { mailed: 'There is another link on the server. Ask whoever runs it.' },
  },
};
