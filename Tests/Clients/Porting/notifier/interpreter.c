/*
 * An interpreter of two commands that waits for events of the notifier: lines of a pipe, a timer,
 * and the alerts of another thread.
 */

#include "notifier.h"

#include <CoreFoundation/CoreFoundation.h>

typedef struct {
    Notifier *notifier;
    int in;
    int out;
    int alerts;
    int commands;
    int over;
} Interpreter;

static void Evaluate(Interpreter *interpreter, const char *command)
{
    int number = 0;
    interpreter->commands++;
    if (sscanf(command, "square %d", &number) == 1) {
        printf("%d\n", number * number);
    } else if (strcmp(command, "quit") == 0) {
        interpreter->over = 1;
    } else {
        printf("invalid command \"%s\"\n", command);
    }
}

static void ReadCommands(void *data, int mask)
{
    Interpreter *interpreter = (Interpreter *)data;
    char text[128], *rest = NULL;
    ssize_t count = read(interpreter->in, text, sizeof text - 1);
    if (mask != NOTIFIER_READABLE || count <= 0) abort();
    text[count] = 0;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        Evaluate(interpreter, line);
    }
}

static void WriteCommand(void *data, int mask)
{
    Interpreter *interpreter = (Interpreter *)data;
    if (mask != NOTIFIER_WRITABLE) abort();
    if (write(interpreter->out, "square 12\nround 3\n", 18) != 18) abort();
    NotifierDeleteFileHandler(interpreter->notifier, interpreter->out);
}

static void Quit(void *data)
{
    Interpreter *interpreter = (Interpreter *)data;
    puts("after some time");
    if (write(interpreter->out, "quit\n", 5) != 5) abort();
}

static void Alerted(void *data)
{
    ((Interpreter *)data)->alerts++;
}

static void *AlertFromElsewhere(void *data)
{
    NotifierAlert((Notifier *)data);
    return NULL;
}

int main(void)
{
    Interpreter interpreter = {NULL, -1, -1, 0, 0, 0};
    int pipes[2];
    if (pipe(pipes) != 0) abort();
    interpreter.in = pipes[0];
    interpreter.out = pipes[1];
    interpreter.notifier = NotifierCreate(Alerted, &interpreter);
    puts(NotifierGetRunLoop(interpreter.notifier) == CFRunLoopGetMain() ? "the main loop"
                                                                        : "another");
    printf("without handlers: %d\n", NotifierWaitForEvent(interpreter.notifier, 0));

    pthread_t thread;
    pthread_create(&thread, NULL, AlertFromElsewhere, interpreter.notifier);
    while (interpreter.alerts == 0) NotifierWaitForEvent(interpreter.notifier, -1);
    pthread_join(thread, NULL);
    puts("alerted");

    NotifierCreateFileHandler(interpreter.notifier, interpreter.in, NOTIFIER_READABLE, ReadCommands,
                              &interpreter);
    NotifierCreateFileHandler(interpreter.notifier, interpreter.out, NOTIFIER_WRITABLE,
                              WriteCommand, &interpreter);
    while (interpreter.commands < 2) NotifierWaitForEvent(interpreter.notifier, -1);
    NotifierSetTimer(interpreter.notifier, 20, Quit, &interpreter);
    while (!interpreter.over) NotifierWaitForEvent(interpreter.notifier, -1);

    NotifierFinalize(interpreter.notifier);
    close(pipes[0]);
    close(pipes[1]);
    puts("over");
    return 0;
}
