/** The pages of signing in, signing up and authorizing applications. */
import { authorizePage, deleteAuthorize, nativeCodePage, postAuthorize } from './authorize-page.ts';
import { confirmationPage, postConfirmation } from './confirmation-page.ts';
import { emailSubscriptionPages } from './email-subscription-pages.ts';
import { forgottenPasswordPage, newPasswordPage, postForgottenPassword, postNewPassword } from './password-page.ts';
import { postSecondStep, secondStepPages } from './second-step-page.ts';
import { postPasskey, postSignIn, postSignOut, signInPage, signOutPage } from './sign-in-page.ts';
import { invitePage, postSignUp, signUpPage } from './sign-up-page.ts';
import { postUnsubscribe, unsubscribePage } from './unsubscribe-page.ts';

export const oauthRoutes = [
  authorizePage,
  postAuthorize,
  deleteAuthorize,
  nativeCodePage,
  signInPage,
  postSignIn,
  postPasskey,
  ...secondStepPages,
  postSecondStep,
  signOutPage,
  postSignOut,
  signUpPage,
  invitePage,
  postSignUp,
  unsubscribePage,
  postUnsubscribe,
  ...emailSubscriptionPages,
  confirmationPage,
  postConfirmation,
  forgottenPasswordPage,
  postForgottenPassword,
  newPasswordPage,
  postNewPassword,
];
