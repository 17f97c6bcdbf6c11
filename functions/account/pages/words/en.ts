import type { Words } from '../words.ts';

export const en: Words = {
  languages: 'Language',
  needsScript: 'This page works with JavaScript only.',
  views: {
    'sign-in': { title: 'Sign in', lead: '' },
    'sign-up': { title: 'Create an account', lead: 'It comes with a project of your own.' },
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
      lead: 'A link by which you choose a new one comes by mail.',
    },
    sent: {
      title: 'Look into your mail',
      lead: 'If {email} has an account, a link is on its way. It works once, within an hour.',
    },
    'signed-in': { title: 'You are signed in', lead: 'As {name}, {email}.' },
    confirm: {
      title: 'Join a project',
      lead: 'You are signed in as {name}, {email}.',
    },
    joined: { title: 'You have joined {project}', lead: 'Your role is {role}. {rights}' },
    refused: {
      title: 'This invitation is over',
      lead: 'It was used or taken back, or its seven days have passed. Ask whoever invited you for another one.',
    },
    unread: { title: 'The invitation can’t be shown now', lead: '' },
    'no-secret': {
      title: 'This link is not complete',
      lead: 'Open the invitation exactly as you got it. A part of the link, after the #, is missing or wrong.',
    },
    reset: {
      title: 'Choose a new password',
      lead: 'You will be signed out everywhere. A second factor stays as it is.',
    },
    done: {
      title: 'The password is changed',
      lead: 'You were signed out everywhere. Sign in with the new one.',
    },
    over: { title: 'This link is over', lead: 'It was used already, or its hour has passed.' },
    'no-token': {
      title: 'This link is not complete',
      lead: 'Open the link exactly as it is in the mail. A part of it, after the #, is missing or wrong.',
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
    name: 'Yours, and of your first project.',
    backupCode: 'Ten characters with a hyphen in the middle.',
  },
  buttons: {
    signIn: 'Sign in',
    signInToJoin: 'Sign in and join',
    signUp: 'Create account',
    signUpToJoin: 'Create account and join',
    continue: 'Continue',
    sendLink: 'Send the link',
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
    newLink: 'Ask for another link',
  },
  invited: 'You are invited to a project. Sign in to join it, or create an account.',
  invitation: { project: 'Project', role: 'Your role', ends: 'Valid until' },
  thenInvitation: 'After that, open the invitation again.',
  next: {
    title: 'What next',
    noDashboard:
      'There are no pages for sites and reports yet. Programs read them, with an API key of yours.',
    keys: 'How to make a key, and everything else one can ask, is in the',
    routes: 'description of the API',
  },
  script: {
    sentences: {
      'This address has an account already.': 'This address has an account already. Sign in instead.',
      'No account has this e-mail address and this password.':
        'No account has this e-mail address and this password.',
      'This code is not right, or not any more.': 'This code is not right, or not any more.',
      'Sign in with your password first.': 'Too much time has passed. Start over, with your password.',
      'Too many wrong codes. Sign in with your password again.':
        'Too many wrong codes. Start over, with your password.',
      'Sign in at `/api/auth/sign-in`.': 'You are not signed in any more. Sign in again.',
      'You are a member of this project already.':
        'You are a member of this project already. The invitation stays good for somebody else.',
      'A part of the service is out of reach. Nothing was changed; try again.':
        'A part of the service is out of reach. Nothing was changed; try again.',
      'Something went wrong on our side. It was logged.': 'Something went wrong on our side. It was logged.',
    },
    rules: {
      'must not be empty': 'This is missing.',
      'must be an e-mail address': 'This is not an e-mail address.',
      'must have at least # characters': 'This must have at least # characters.',
      'must have at most # characters': 'This must have at most # characters.',
      'must be 6 digits or a backup code': 'This is not a code.',
    },
    unreachable: 'The service can’t be reached. Look at your connection and try again.',
    tooMany: 'Too many attempts. Try again {when}.',
    elsewhere: 'This works only at the service’s own address: {address}',
    roles: { owner: 'owner', admin: 'admin', viewer: 'viewer' },
    rights: {
      owner: 'Owners may do everything.',
      admin: 'Admins change everything but owners.',
      viewer: 'Viewers read everything and change nothing.',
    },
    showPassword: 'Show password',
    hidePassword: 'Hide password',
    busy: 'One moment …',
  },
};
